// contract: all exchanges of a recording against the document, and what of the document none of them has reached.
import { answerFaults, mediaType, problemCode, requestFaults } from './exchange.mjs';

export class Contract {
  constructor(document, exceptions) {
    this.document = document;
    this.exceptions = exceptions;
    this.count = 0;
    this.faults = new Map(); // sentence -> how often, and where first
    this.reached = new Map(document.operations.map((operation) => [operation, new Map()]));
    this.tolerated = new Set();
    this.codes = new Set();
    this.fields = new Map(); // header fields that the document does not know -> how often
  }

  fault(exchange, sentence) {
    const where = `${exchange.program}: ${exchange.method} ${exchange.target.slice(0, 160)} -> ${exchange.status}`;
    const found = this.faults.get(sentence);
    if (found) found.count++;
    else this.faults.set(sentence, { count: 1, where });
  }

  take(exchange) {
    this.count++;
    const sentences = this.judge(exchange);
    for (const sentence of sentences)
      if (this.exceptions.tolerated.has(sentence)) this.tolerated.add(sentence);
      else this.fault(exchange, sentence);
  }

  judge(exchange) {
    const always = [...this.exceptions.everywhere.keys()].filter((name) => !exchange.answer.fields.has(name));
    const faults = always.map((name) => `header field ${name} is missing`);
    const match = this.document.match(exchange.path);
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    const operation = match?.methods.get(method);
    if (operation) return [...faults, ...this.judgeOperation(match, operation, exchange)];
    if (exchange.method === 'OPTIONS' && exchange.status === 204) return faults;
    const what = match ? `${exchange.method} ${[...match.methods.values()][0].template}` : 'this path';
    if (exchange.status < 400) return [...faults, `${what} is not in the document`];
    return [...faults, ...this.judgeProblem(this.document.root.components.responses.Problem, exchange)];
  }

  judgeOperation(match, operation, exchange) {
    const { status } = exchange;
    const response = operation.responses.get(String(status));
    const name = `${operation.id} ${status}`;
    if (!response && status < 400) return [`${name}: the status is not in the document`];
    const code = status >= 400 ? problemCode(exchange.answer) : null;
    const key = response ? String(status) : 'default';
    if (!response && code && !this.exceptions.anywhere.has(code))
      return [`${name}: ${code} is not in the document (only what can befall any operation is left to default)`];
    const seen = this.seen(operation, key);
    if (this.exceptions.anywhere.has(code)) this.seen(operation, 'default');
    const faults = status < 400 ? requestFaults(this.document, match, operation, exchange, seen.request) : [];
    if (status < 400) faults.push(...answerFaults(this.document, response, exchange, seen.answer));
    else faults.push(...this.judgeRefused(match, operation, exchange, code));
    if (status >= 400)
      faults.push(...this.judgeProblem(response ?? operation.responses.get('default'), exchange, seen));
    this.countFields(response, exchange);
    return faults.map((fault) => `${name}: ${fault}`);
  }

  seen(operation, key) {
    const statuses = this.reached.get(operation);
    if (!statuses.has(key)) statuses.set(key, { request: new Set(), answer: new Set() });
    return statuses.get(key);
  }

  // A name that the document knows may not be called unknown.
  judgeRefused(match, operation, exchange, code) {
    const isBare = mediaType(exchange.fields) === 'application/x-www-form-urlencoded';
    if (exchange.status === 412) this.seen(operation, '412').request.add('header if-match');
    if (code !== 'unknown-field' || isBare) return [];
    let faults;
    try {
      faults = requestFaults(this.document, match, operation, exchange, new Set());
    } catch {
      return [];
    }
    return faults.length ? [] : ['unknown-field, and the document knows all that was sent'];
  }

  judgeProblem(response, exchange, seen = { answer: new Set() }) {
    if (!response) return ['neither the status nor `default` is in the document'];
    const code = exchange.method === 'HEAD' && !exchange.answer.body.length ? null : problemCode(exchange.answer);
    if (code) this.codes.add(code);
    const fields = response.fields ?? [];
    const faults = answerFaults(this.document, { ...response, fields }, exchange, seen.answer);
    if (exchange.answer.body.length && !code) faults.push(`no problem: ${mediaType(exchange.answer.fields)}`);
    return faults;
  }

  countFields(response, exchange) {
    if (exchange.status === 500) return; // what was prepared before the fault may still be there
    const known = new Set((response?.fields ?? []).map((header) => header.name));
    for (const name of exchange.answer.fields.keys())
      if (!known.has(name) && !this.exceptions.everywhere.has(name) && !this.exceptions.sometimes.has(name))
        this.fields.set(name, (this.fields.get(name) ?? 0) + 1);
  }

  // ---- what no test has reached ----

  *unreached() {
    for (const operation of this.document.operations) {
      const statuses = this.reached.get(operation);
      const requests = [...statuses].flatMap(([, seen]) => [...seen.request]);
      for (const [status, response] of operation.responses) {
        const seen = statuses.get(status);
        if (!seen) yield `${operation.id} ${status}`;
        else yield* this.unreachedOf(operation, status, response, seen);
      }
      for (const parameter of operation.parameters)
        if (parameter.in !== 'path' && !requests.includes(`${parameter.in} ${parameter.name.toLowerCase()}`))
          yield `${operation.id} ${parameter.in} ${parameter.name}`;
      for (const type of Object.keys(operation.body?.content ?? {}))
        if (!requests.includes(`body ${type}`)) yield `${operation.id} body ${type}`;
    }
    yield* this.document.members.unmet();
    for (const code of this.document.problemCodes()) if (!this.codes.has(code)) yield `problem ${code}`;
  }

  *unreachedOf(operation, status, response, seen) {
    if (status !== 'default' && status < 400)
      for (const type of Object.keys(response.content ?? {}))
        if (!seen.answer.has(type)) yield `${operation.id} ${status} ${type}`;
    for (const header of response.fields)
      if (!seen.answer.has(`header ${header.name}`)) yield `${operation.id} ${status} header ${header.name}`;
  }

  // Excuses that nothing needs any more.
  idle(missing) {
    const reached = [...this.exceptions.unreached.keys()].filter((name) => !missing.includes(name));
    const well = [...this.exceptions.tolerated.keys()].filter((sentence) => !this.tolerated.has(sentence));
    return [...reached, ...well];
  }

  // All that is wrong, a sentence each.
  findings() {
    const missing = [...this.unreached()];
    const bare = missing.filter((name) => !this.exceptions.unreached.has(name));
    return [
      ...[...this.faults].map(([sentence, { count, where }]) => `${sentence}\n    ${count} times, first in ${where}`),
      ...bare.map((name) => `no test has reached ${name}`),
      ...this.idle(missing).map((name) => `exceptions.yaml excuses what is well, or is not there: ${name}`),
      ...[...this.fields].map(([name, count]) => `header field ${name} is not in the document (${count} times)`),
      ...(this.count ? [] : ['nothing was recorded']),
    ];
  }
}
