// document: openapi.yaml as operations, and validators for its schemas.
//
// Clients may meet members that the document does not know; the tests may not: each object schema is closed here.
// Where schemas are put together (allOf), only the whole is closed.
import fs from 'node:fs';

import { take } from '../support/packages.mjs';
import { Members } from './members.mjs';

const { default: Ajv } = take('ajv/dist/2020');
const { default: addFormats } = take('ajv-formats');
const yaml = take('yaml');

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace'];
// What the daemon takes as the end of any path: it beats Accept, and the path is that of the operation without it.
export const SUFFIX = /\.(json|txt|pgn|fen|svg|png|ndjson)$/;

function readPath(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function readDocument(file) {
  return new Document(yaml.parse(fs.readFileSync(file, 'utf8')));
}

// {"a": {"$ref": "#/…"}} where `node` may be such a reference.
function resolve(root, node) {
  while (node && node.$ref) {
    node = node.$ref
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((at, part) => at?.[part], root);
  }
  return node;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// A copy of the schema in which objects take no members but those it names; `extra` are further patterns. `open`: all
// but the outermost.
function close(schema, extra, open = false) {
  if (Array.isArray(schema)) return schema.map((item) => close(item, extra));
  if (!isObject(schema)) return schema;
  const whole = schema.allOf || (schema.properties && (schema.anyOf || schema.oneOf));
  const copy = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' || key === '$defs' || key === 'patternProperties')
      copy[key] = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, close(item, extra)]));
    else if (key === 'enum' || key === 'const' || key === 'required') copy[key] = value;
    else if (whole && (key === 'allOf' || key === 'anyOf' || key === 'oneOf'))
      copy[key] = value.map((item) => openedBranch(item, extra));
    else if (key === 'example' || key === 'examples') continue;
    else copy[key] = close(value, extra);
  }
  const named = schema.properties || schema.allOf;
  if (named && !open && !('additionalProperties' in schema) && !('unevaluatedProperties' in schema)) {
    copy.type ??= 'object';
    copy.patternProperties = { ...copy.patternProperties, ...extra };
    copy.unevaluatedProperties = false;
  }
  return copy;
}

function openedBranch(schema, extra) {
  if (schema.$ref?.startsWith('#/components/schemas/') && schema.$ref.split('/').length === 4)
    return { $ref: schema.$ref.replace('#/components/schemas/', '#/components/opened/') };
  return close(schema, extra, true);
}

function closeAll(schemas, extra) {
  const entries = Object.entries(schemas);
  return {
    schemas: Object.fromEntries(entries.map(([name, schema]) => [name, close(schema, extra)])),
    opened: Object.fromEntries(entries.map(([name, schema]) => [name, close(schema, extra, true)])),
  };
}

class Validators {
  constructor(schemas, extra, options) {
    this.extra = extra;
    this.ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, discriminator: true, ...options });
    addFormats(this.ajv);
    for (const word of ['components', 'xml', 'externalDocs']) this.ajv.addKeyword(word);
    this.ajv.addSchema({ components: closeAll(schemas, extra) }, 'document');
    this.compiled = new Map();
  }

  // What is wrong with `value`: a list of sentences. `schema` is a node of the document.
  faults(schema, value) {
    if (!this.compiled.has(schema)) this.compiled.set(schema, this.compile(schema));
    const validate = this.compiled.get(schema);
    if (validate(value)) return [];
    return validate.errors.map((error) => {
      const which = error.params.unevaluatedProperty ?? error.params.additionalProperty;
      const detail = which === undefined ? error.message : `member ${which} is not in the document`;
      const allowed = error.params.allowedValues ? ` ${JSON.stringify(error.params.allowedValues)}` : '';
      return `${error.instancePath || '/'}: ${detail}${allowed}`;
    });
  }

  compile(schema) {
    const absolute = (node) => {
      if (Array.isArray(node)) return node.map(absolute);
      if (!isObject(node)) return node;
      return Object.fromEntries(
        Object.entries(node).map(([key, value]) => [
          key,
          key === '$ref' && typeof value === 'string' ? value.replace(/^#/, 'document#') : absolute(value),
        ]),
      );
    };
    return this.ajv.compile(absolute(close(schema, this.extra)));
  }
}

export class Operation {
  constructor(root, template, method, shared, node) {
    this.template = template;
    this.method = method.toUpperCase();
    this.id = node.operationId;
    this.node = node;
    this.parameters = [...(shared || []), ...(node.parameters || [])].map((one) => resolve(root, one));
    this.body = resolve(root, node.requestBody);
    this.responses = new Map(
      Object.entries(node.responses).map(([status, response]) => [status, resolve(root, response)]),
    );
    for (const response of this.responses.values())
      response.fields = Object.entries(response.headers || {}).map(([name, header]) => ({
        name: name.toLowerCase(),
        ...resolve(root, header),
      }));
    this.shape = new RegExp(
      `^${template
        .split(/\{[^}]+\}/)
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('([^/]+)')}$`,
    );
    const form = this.body?.content?.['application/x-www-form-urlencoded'];
    this.formMembers = new Map(Object.entries(resolve(root, form?.schema)?.properties ?? {}));
    this.names = [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
  }

  parameter(place, name) {
    return this.parameters.find(
      (one) =>
        one.in === place && (place === 'header' ? one.name.toLowerCase() === name.toLowerCase() : one.name === name),
    );
  }

  // Its answers have an entity tag that If-None-Match may name.
  hasTag() {
    return this.responses.has('304');
  }
}

export class Document {
  constructor(root) {
    this.root = root;
    this.operations = [];
    this.members = new Members(this);
    for (const [template, item] of Object.entries(root.paths))
      for (const method of METHODS)
        if (item[method]) this.operations.push(new Operation(root, template, method, item.parameters, item[method]));
    // Fixed segments before variable ones: /v1/positions/board is no game.
    this.operations.sort((a, b) => a.names.length - b.names.length);
    const schemas = root.components.schemas;
    this.answers = new Validators(schemas, {}, {});
    this.requests = new Validators(schemas, { '^x_': {} }, {});
    // Queries and forms: texts that are read as what they stand for.
    this.texts = new Validators(schemas, { '^x_': {} }, { coerceTypes: true });
  }

  resolve(node) {
    return resolve(this.root, node);
  }

  // What is wrong with a value of an answer, of a request in JSON, and of a form; its members count as met.
  answerFaults(schema, value) {
    this.members.meet(schema, value);
    return this.answers.faults(schema, value);
  }

  requestFaults(schema, value) {
    this.members.meet(schema, value);
    return this.requests.faults(schema, value);
  }

  formFaults(schema, value) {
    this.members.meet(schema, value);
    return this.texts.faults(schema, value);
  }

  // Every slug that a problem may have, where the document has a list of them.
  problemCodes() {
    return resolve(this.root, this.root.components.schemas.Problem.properties.code).enum ?? [];
  }

  // The operations of a path, by method; the values of its parameters; null: there is none.
  match(target) {
    const path = readPath(target);
    const literal = this.operations.some((operation) => operation.template === path);
    for (const candidate of literal ? [path] : [path.replace(SUFFIX, ''), path]) {
      const found = this.operations.filter((operation) => operation.shape.test(candidate));
      if (!found.length) continue;
      const methods = new Map(found.map((operation) => [operation.method, operation]).reverse());
      return { methods, values: candidate.match([...methods.values()][0].shape).slice(1), path: candidate };
    }
    return null;
  }
}
