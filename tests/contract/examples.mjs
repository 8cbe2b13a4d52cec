// The examples of openapi.yaml, recorded from a running daemon.
//
//     node tests/contract/examples.mjs record openapi.yaml    # writes them into the document
//     node tests/contract/examples.mjs check openapi.yaml     # fails where the daemon answers otherwise by now
//
// They stand at the end of the document, in components.examples, by the name of their operation; `NAME.request` is what
// was sent. Where they belong a reference is put beside the schema.
import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import { startDaemon } from '../support/daemon.mjs';
import { take } from '../support/packages.mjs';
import { readDocument } from './document.mjs';
import { Normal } from './normal.mjs';
import { perform } from './scenario.mjs';

const yaml = take('yaml');

const HEADING =
  '  # Recorded from a running daemon by `make examples`. Not to be edited, and nothing may follow.\n  examples:\n';
const WIDTH = 118;
// Documents that would be their own example, and what is no text.
const WITHOUT = new Set(['getOpenapiJson', 'getOpenapiYaml', 'getAsset']);

// ---- recording ------------------------------------------------------------------------------------------------

class Recorder {
  constructor(document, origin) {
    this.document = document;
    this.normal = new Normal(origin);
    this.origin = origin;
    this.examples = new Map(); // name -> {value, at}
  }

  async call(id, options = {}) {
    const operation = this.document.operations.find((one) => one.id === id);
    if (!operation) throw new Error(`${id}: there is no such operation`);
    const { answer, text, type } = await this.send(operation, options);
    const expected = options.status ?? Number([...operation.responses.keys()].find((status) => status < 300));
    if (answer.status !== expected && !(options.status === undefined && answer.ok))
      throw new Error(`${id}: ${answer.status} in place of ${expected}: ${text}`);
    const value = type.endsWith('json') && text ? JSON.parse(text.split('\n')[0]) : text;
    if (/^[a-z2-9]{12}$/.test(value.id)) this.normal.addGame(value.id);
    this.keep(operation, options, { status: String(answer.status), type, value });
    return value;
  }

  async send(operation, options) {
    const path = operation.template.replace(/\{([^}]+)\}/g, (whole, name) => options.path[name]);
    const query = options.query ? `?${new URLSearchParams(options.query)}` : '';
    const fields = { 'X-Request-Id': 'example', Accept: options.accept ?? '*/*', ...options.fields };
    const isText = typeof options.body === 'string';
    if (options.body) fields['Content-Type'] = options.type ?? (isText ? 'text/plain' : 'application/json');
    const answer = await fetch(this.origin + path + query, {
      method: operation.method,
      headers: fields,
      body: options.body && (isText ? options.body : JSON.stringify(options.body)),
    });
    const type = (answer.headers.get('content-type') ?? '').split(';')[0];
    return { answer, text: await answer.text(), type };
  }

  keep(operation, options, { status, type, value }) {
    const name = options.as ?? operation.id;
    if (this.examples.has(name)) return;
    const method = operation.method.toLowerCase();
    const place = ['paths', operation.template, method];
    const isProblem = status >= 400;
    const at = isProblem
      ? ['components', 'responses', 'Problem', 'content', type]
      : [...place, 'responses', status, 'content', type];
    if (type) this.examples.set(name, { at, value: this.normal.value(shorten(value, options)) });
    if (!options.body || isProblem) return;
    const sent = options.type ?? 'application/json';
    const body = sent === 'application/x-ndjson' ? JSON.parse(options.body) : options.body;
    this.examples.set(`${name}.request`, { at: [...place, 'requestBody', 'content', sent], value: body });
  }
}

function shorten(value, { items, lines }) {
  if (typeof value === 'string') return lines ? `${value.split('\n').slice(0, lines).join('\n')}\n` : value;
  if (!items) return value;
  const cut = (list) => (Array.isArray(list) ? list.slice(0, items) : list);
  const copy = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item)]));
  if (copy.links) copy.links = Object.fromEntries(Object.entries(copy.links).slice(0, items));
  return copy;
}

async function record(document) {
  const daemon = await startDaemon(['--log-level', 'error']);
  try {
    const recorder = new Recorder(document, daemon.origin);
    await perform((id, options) => recorder.call(id, options));
    return recorder.examples;
  } finally {
    await daemon.close();
  }
}

// ---- the document as a text -----------------------------------------------------------------------------------

// JSON in lines, which is YAML too.
function inLines(value, indent) {
  const lines = [''];
  for (const token of JSON.stringify(value).match(/"(?:[^"\\]|\\.)*"[:,]?|[[\]{},]|[^"[\]{},]+,?/g)) {
    const space = /[:,]$/.test(lines.at(-1)) ? ' ' : '';
    if (space && indent.length + lines.at(-1).length + token.length > WIDTH) lines.push(token);
    else lines[lines.length - 1] += space + token;
  }
  return lines.join(`\n${indent}`);
}

function withSection(text, examples) {
  const end = text.indexOf(HEADING);
  const kept = end < 0 ? text : text.slice(0, end);
  if (end >= 0 && /^ {0,3}[^ \n]/m.test(text.slice(end + HEADING.length)))
    throw new Error('something stands behind the examples, and would be lost');
  const entries = [...examples]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { value }]) => `    ${name}:\n      value: ${inLines(value, '        ')}\n`);
  return kept + HEADING + entries.join('');
}

// What a place calls its example: createGame.seats is `seats`, createGame `recorded`.
function labelOf(name) {
  return name.replace(/\.request$/, '').split('.')[1] ?? 'recorded';
}

// The lines of a key and its value in a block, as offsets.
function linesOf(text, key, value) {
  const from = text.lastIndexOf('\n', key.range[0]) + 1;
  const to = text.indexOf('\n', value.range[1] - 1) + 1;
  return { from, to, indent: ' '.repeat(key.range[0] - from) };
}

// Puts the references beside the schemas, from the end on, so that places stay where they are.
function withReferences(text, examples) {
  const document = yaml.parseDocument(text);
  const wanted = new Map();
  for (const [name, { at }] of examples) {
    const key = JSON.stringify(at);
    wanted.set(key, [...(wanted.get(key) ?? []), name]);
  }
  const edits = [];
  for (const [key, names] of wanted) {
    const content = document.getIn(JSON.parse(key));
    if (!content) throw new Error(`${key} is not in the document`);
    const pair = (name) => content.items.find((one) => one.key.value === name);
    const schema = linesOf(text, pair('schema').key, pair('schema').value);
    const old = pair('examples')
      ? linesOf(text, pair('examples').key, pair('examples').value)
      : { from: schema.to, to: schema.to };
    const { indent } = schema;
    const lines = names.map((name) => `${indent}  ${labelOf(name)}: {$ref: '#/components/examples/${name}'}\n`);
    edits.push({ ...old, lines: `${indent}examples:\n${lines.join('')}` });
  }
  edits.sort((a, b) => b.from - a.from);
  for (const { from, to, lines } of edits) text = text.slice(0, from) + lines + text.slice(to);
  return text;
}

// ---- checking -------------------------------------------------------------------------------------------------

function* faultsOf(document, examples) {
  const kept = document.root.components.examples ?? {};
  for (const [name, { value, at }] of examples) {
    const written = kept[name];
    if (!written) yield `${name}: not in the document; make examples`;
    else if (!isDeepStrictEqual(written.value, JSON.parse(JSON.stringify(value))))
      yield `${name}: the daemon answers otherwise by now (${difference(written.value, value, '')}); make examples`;
    if (!isReferredTo(document, at, name)) yield `${name}: nothing refers to it; make examples`;
  }
  for (const name of Object.keys(kept))
    if (!examples.has(name)) yield `${name}: nothing records it any more; make examples`;
  for (const operation of document.operations) {
    const hasText = [...operation.responses].some(([status, response]) => status < 300 && response.content);
    if (hasText && !examples.has(operation.id) && !WITHOUT.has(operation.id))
      yield `${operation.id} has no example: call it in tests/contract/scenario.mjs`;
  }
}

// The first place in which two values differ.
function difference(old, now, where) {
  const both = [old, now].every((value) => value !== null && typeof value === 'object');
  const keys = both ? [...new Set([...Object.keys(old), ...Object.keys(now)])] : [];
  const key = keys.find((one) => !isDeepStrictEqual(old[one], now[one]));
  if (key !== undefined) return difference(old[key], now[key], `${where}/${key}`);
  return `${where || '/'}: ${JSON.stringify(now)?.slice(0, 80)} in place of ${JSON.stringify(old)?.slice(0, 80)}`;
}

function isReferredTo(document, at, name) {
  const content = at.reduce((node, key) => document.resolve(node)?.[key], document.root);
  return Object.values(content?.examples ?? {}).some((example) => example.$ref === `#/components/examples/${name}`);
}

function* misfits(document, examples) {
  for (const [name, { value, at }] of examples) {
    if (typeof value === 'string') continue;
    const schema = at.reduce((node, key) => document.resolve(node)?.[key], document.root).schema;
    const validators = name.endsWith('.request') ? document.requests : document.answers;
    for (const fault of validators.faults(schema, value)) yield `${name}${fault}`;
  }
}

const [mode, file] = process.argv.slice(2);
const examples = await record(readDocument(file));
if (mode === 'record') {
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, withSection(withReferences(text, examples), examples));
}
const document = readDocument(file);
const faults = [...faultsOf(document, examples), ...misfits(document, examples)];
for (const fault of faults) console.log(fault);
console.log(`${examples.size} examples, ${faults.length} faults of them`);
process.exitCode = faults.length ? 1 : 0;
