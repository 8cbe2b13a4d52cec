// exchange: one request and its answer against the document. Every function returns what is wrong, as sentences.
//
// A request that was carried out (below 400) must be as documented. One that was refused may be wrong on purpose; but
// its answer must be a documented problem, and the daemon may not call a name unknown that the document knows.

// Fields of a request that say something to an operation, so that the document has to name them.
const REQUEST_FIELDS = ['if-match', 'if-none-match', 'prefer', 'idempotency-key', 'last-event-id'];

const decode = (text) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

function readPairs(text) {
  return text
    .split('&')
    .filter((pair) => pair)
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
    });
}

export function mediaType(fields) {
  return (fields.get('content-type') || '').split(';')[0].trim().toLowerCase();
}

// ---- requests -------------------------------------------------------------------------------------------------

const BOOLEANS = new Map(Object.entries({ '': 'true', 1: 'true', 0: 'false' }));

// A text as the daemon reads it: a flag may stand alone or be 0 or 1, a list is parted by blanks or commas, an object
// is JSON.
function asWritten(document, schema, text) {
  const { type } = document.resolve(schema) ?? {};
  if (type === 'boolean') return BOOLEANS.get(text) ?? text;
  if ([type].flat().includes('object') && text.startsWith('{')) return JSON.parse(text);
  return type === 'array' ? text.split(/[ ,]+/) : text;
}

function valueFaults(document, parameter, text, where) {
  const value = asWritten(document, parameter.schema, text);
  return document.texts.faults(parameter.schema, value).map((fault) => `${where} ${parameter.name}=${text}${fault}`);
}

function queryFaults(document, operation, query, seen) {
  const faults = [];
  const names = new Set();
  for (const [name, value] of readPairs(query || '')) {
    names.add(name);
    const parameter = operation.parameter('query', name);
    if (parameter) {
      seen.add(`query ${name}`);
      faults.push(...valueFaults(document, parameter, value, 'query'));
    } else if (!name?.startsWith('x_')) faults.push(`query parameter ${name} is not in the document`);
  }
  for (const parameter of operation.parameters)
    if (parameter.in === 'query' && parameter.required && !names.has(parameter.name))
      faults.push(`query parameter ${parameter.name} is missing`);
  return faults;
}

function pathFaults(document, operation, values) {
  return operation.names.flatMap((name, i) => {
    const parameter = operation.parameter('path', name);
    return parameter ? valueFaults(document, parameter, decode(values[i]), 'path') : [`{${name}} is not described`];
  });
}

function fieldFaults(document, operation, fields, seen) {
  const faults = [];
  for (const name of REQUEST_FIELDS) {
    if (!fields.has(name) || (name === 'if-none-match' && !operation.hasTag())) continue;
    const parameter = operation.parameter('header', name);
    if (parameter) {
      seen.add(`header ${name}`);
      faults.push(...valueFaults(document, parameter, fields.get(name), 'header'));
    } else faults.push(`header field ${name} is not in the document`);
  }
  return faults;
}

// What the daemon takes a body for (API 2).
function bodyType(exchange, operation) {
  const given = mediaType(exchange.fields);
  const [first, second] = Object.keys(operation.body.content);
  if (first === 'application/x-ndjson' && !second) return first; // whatever it is called
  const text = exchange.body.toString('utf8').trim();
  if (given === 'application/x-chess-pgn') return 'application/vnd.chess-pgn';
  if (given && given !== 'application/x-www-form-urlencoded') return given;
  if (text.startsWith('[')) return 'application/vnd.chess-pgn';
  if (!given) return text.startsWith('{') ? 'application/json' : 'text/plain';
  const types = operation.body.content;
  if (types[given] && [...operation.formMembers.keys(), 'x_'].some((name) => text.startsWith(name))) return given;
  return ['text/plain', 'application/vnd.chess-pgn'].find((type) => types[type]) ?? given;
}

// A form as an object: white.name=Anna is {"white": {"name": "Anna"}}.
function readForm(document, operation, text) {
  const form = {};
  for (const [name, value] of readPairs(text)) {
    const parts = name.split('.');
    const last = parts.pop();
    const holder = parts.reduce((at, part) => (at[part] ??= {}), form);
    const [first, ...others] = [...parts, last];
    const schema = others.reduce(
      (at, part) => document.resolve(at)?.properties?.[part],
      operation.formMembers.get(first),
    );
    holder[last] = schema ? asWritten(document, schema, value) : value;
  }
  return form;
}

function linesOf(text) {
  return text.split('\n').filter((line) => line.trim());
}

// Of many requests in one, those that were carried out: each has its line in the answer.
function takenLines(body, answer) {
  const answers = linesOf(answer.body.toString('utf8')).map((line) => JSON.parse(line));
  return linesOf(body).filter((line, i) => answers[i]?.status < 400);
}

// Where no body is meant an object may come all the same, as long as it says nothing.
const NO_MEMBERS = { type: 'object', properties: {} };

function bodyFaults(document, operation, exchange, seen) {
  const body = exchange.body.toString('utf8');
  if (!body.trim()) return operation.body?.required ? ['the body is missing'] : [];
  if (!operation.body) return document.requests.faults(NO_MEMBERS, JSON.parse(body));
  const type = bodyType(exchange, operation);
  const content = operation.body.content[type];
  if (!content) return [`a body of ${type} is not in the document`];
  seen.add(`body ${type}`);
  if (type === 'application/json') return document.requestFaults(content.schema, JSON.parse(body));
  if (type === 'application/x-ndjson')
    return takenLines(body, exchange.answer).flatMap((line) =>
      document.requestFaults(content.schema, JSON.parse(line)),
    );
  if (type === 'application/x-www-form-urlencoded')
    return document.formFaults(content.schema, readForm(document, operation, body));
  return [];
}

export function requestFaults(document, match, operation, exchange, seen) {
  return [
    ...pathFaults(document, operation, match.values),
    ...queryFaults(document, operation, exchange.query, seen),
    ...fieldFaults(document, operation, exchange.fields, seen),
    ...bodyFaults(document, operation, exchange, seen),
  ];
}

// ---- answers --------------------------------------------------------------------------------------------------

const STREAMS = ['text/event-stream', 'application/x-ndjson'];

// Server-sent events carry what the lines of NDJSON are.
function eventFaults(document, response, body) {
  const { schema } = response.content['application/x-ndjson'];
  return [...body.matchAll(/^data: ?(.*)$/gm)].flatMap((data) => document.answerFaults(schema, JSON.parse(data[1])));
}

function contentFaults(document, response, type, body) {
  const { schema } = response.content[type];
  const text = body.toString('utf8');
  if (type === 'application/json' || type === 'application/problem+json')
    return document.answerFaults(schema, JSON.parse(text));
  if (type === 'application/x-ndjson')
    return linesOf(text).flatMap((line) => document.answerFaults(schema, JSON.parse(line)));
  return type === 'text/event-stream' ? eventFaults(document, response, text) : [];
}

function answerFieldFaults(document, response, fields, seen) {
  const faults = [];
  for (const header of response.fields) {
    if (!fields.has(header.name)) {
      if (header.required) faults.push(`header field ${header.name} is missing`);
      continue;
    }
    seen.add(`header ${header.name}`);
    faults.push(...valueFaults(document, header, fields.get(header.name), 'header'));
  }
  return faults;
}

function answerBodyFaults(document, response, exchange, seen) {
  const { body, fields } = exchange.answer;
  const type = mediaType(fields);
  if (!response.content) return body.length ? ['there is a body, and the document knows none'] : [];
  if (!body.length && !STREAMS.includes(type)) return exchange.method === 'HEAD' ? [] : ['there is no body'];
  if (!response.content[type]) return [`content type ${type} is not in the document`];
  seen.add(type);
  return contentFaults(document, response, type, body);
}

export function answerFaults(document, response, exchange, seen) {
  return [
    ...answerFieldFaults(document, response, exchange.answer.fields, seen),
    ...answerBodyFaults(document, response, exchange, seen),
  ];
}

// The slug of a problem, of JSON or of text; null: it is no problem.
export function problemCode(answer) {
  const text = answer.body.toString('utf8');
  if (mediaType(answer.fields) === 'application/problem+json') return JSON.parse(text).code;
  return text.match(/^error: ([a-z0-9-]+): ./)?.[1] ?? null;
}
