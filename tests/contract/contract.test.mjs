// The check finds what is broken on purpose: a small document, the exchanges that fit it, and each thing that can be
// wrong with one of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Contract } from './contract.mjs';
import { Document } from './document.mjs';
import { readExchange } from './recording.mjs';

const schema = (name) => ({ $ref: `#/components/schemas/${name}` });
const problem = { $ref: '#/components/responses/Problem' };

const ROOT = {
  paths: {
    '/things/{n}': {
      get: {
        operationId: 'getThing',
        parameters: [
          { name: 'n', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'size', in: 'query', schema: { type: 'integer', maximum: 9 } },
          { name: 'flag', in: 'query', schema: { type: 'boolean' } },
          { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            headers: { ETag: { required: true, schema: { type: 'string' } } },
            content: {
              'application/json': { schema: schema('Thing') },
              'text/event-stream': { schema: { type: 'string' } },
              'application/x-ndjson': { schema: schema('Base') },
            },
          },
          304: {},
          400: problem,
          404: problem,
          default: problem,
        },
      },
      post: {
        operationId: 'changeThing',
        parameters: [{ name: 'n', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: {
          content: {
            'application/json': { schema: schema('Change') },
            'application/x-www-form-urlencoded': { schema: schema('Change') },
          },
        },
        responses: { 204: {}, 400: problem, default: problem },
      },
    },
  },
  components: {
    responses: {
      Problem: {
        content: {
          'application/problem+json': { schema: schema('Problem') },
          'text/plain': { schema: { type: 'string' } },
        },
      },
    },
    schemas: {
      Base: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      Parts: { type: 'object', properties: { parts: { type: 'array', items: schema('Base') } } },
      Thing: { allOf: [schema('Base'), schema('Parts')] },
      Change: {
        type: 'object',
        properties: { size: { type: 'integer' }, parts: { type: 'array', items: { type: 'string' } } },
      },
      Problem: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string', enum: ['not-found', 'unknown-field', 'internal'] } },
      },
    },
  },
};

const JSON_TYPE = 'Content-Type: application/json\r\n';
const ALWAYS = 'X-Request-Id: 1\r\n';
const OK = `${JSON_TYPE}ETag: "1"\r\n${ALWAYS}`;

function exchange(target, status, answer, given = {}) {
  const raw = { program: 'test', method: 'GET', fields: '', body: '', answer_fields: OK, ...given };
  return { ...raw, target, status, answer_body: typeof answer === 'string' ? answer : JSON.stringify(answer) };
}

const refusal = (target, status, code, given) =>
  exchange(
    target,
    status,
    { code },
    { answer_fields: `Content-Type: application/problem+json\r\n${ALWAYS}`, ...given },
  );
const post = (body, given) => ({ method: 'POST', fields: JSON_TYPE, body, answer_fields: ALWAYS, ...given });
const typed = (type) => OK.replace('application/json', type);
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';

// Reaches all that the document has.
const GOOD = [
  exchange('/things/1?size=3&flag', 200, { id: 1, parts: [{ id: 2 }] }),
  exchange('/things/1.json', 200, { id: 1 }, { method: 'HEAD' }),
  exchange('/things/1', 200, 'id: 1\ndata: {"id":1}\n\n', { answer_fields: typed('text/event-stream') }),
  exchange('/things/1', 200, '{"id":1}\n{"id":2}\n', { answer_fields: typed('application/x-ndjson') }),
  exchange('/things/1', 304, '', { fields: 'If-None-Match: "1"\r\n', answer_fields: ALWAYS }),
  refusal('/things/1?bulk=1', 400, 'unknown-field'),
  refusal('/things/2', 404, 'not-found'),
  refusal('/things/3', 500, 'internal'),
  refusal('/nowhere', 404, 'not-found'),
  exchange('/things/1', 204, '', post('{"size":1,"x_own":true}')),
  exchange('/things/1', 204, '', post('size=1&parts=a,b', { fields: FORM })),
  refusal('/things/1', 400, 'unknown-field', { method: 'POST', fields: JSON_TYPE, body: '{"bulk":1}' }),
  refusal('/things/1', 500, 'internal', { method: 'POST' }),
];

function findings(exchanges, excuses = {}) {
  const exceptions = {
    everywhere: new Map([['x-request-id', 'always']]),
    sometimes: new Map([['content-type', 'with a body']]),
    anywhere: new Map([['internal', 'a fault']]),
    tolerated: new Map(),
    unreached: new Map(),
    ...excuses,
  };
  const contract = new Contract(new Document(structuredClone(ROOT)), exceptions);
  for (const one of exchanges) contract.take(readExchange(JSON.stringify(one)));
  return contract.findings().map((finding) => finding.split('\n')[0]);
}

const WRONG = [
  [
    'a member of an answer that is not there',
    exchange('/things/1', 200, { id: 1, bulk: 2 }),
    /member bulk is not in the document/,
  ],
  ['one deep within', exchange('/things/1', 200, { id: 1, parts: [{ id: 2, bulk: 3 }] }), /parts\/0: member bulk/],
  ['a member that is missing', exchange('/things/1', 200, {}), /required property 'id'/],
  ['a value that does not fit', exchange('/things/1', 200, { id: 'one' }), /\/id: must be integer/],
  ['a line that does not fit', { ...GOOD[3], answer_body: '{"id":1}\n{"no":2}\n' }, /required property 'id'/],
  ['an event that does not fit', { ...GOOD[2], answer_body: 'data: {"no":1}\n\n' }, /required property 'id'/],
  ['a status', exchange('/things/1', 202, { id: 1 }), /202: the status is not in the document/],
  [
    'a refusal that is left to default',
    refusal('/things/1', 409, 'not-found'),
    /409: not-found is not in the document/,
  ],
  ['a code', refusal('/things/1', 404, 'gone'), /\/code: must be equal to one of/],
  [
    'a refusal that is no problem',
    { ...refusal('/things/1', 404, 'x'), answer_body: 'no', answer_fields: `Content-Type: text/plain\r\n${ALWAYS}` },
    /no problem/,
  ],
  ['a content type', { ...GOOD[0], answer_fields: typed('text/html') }, /content type text\/html/],
  ['a header field that is missing', { ...GOOD[0], answer_fields: JSON_TYPE + ALWAYS }, /header field etag is missing/],
  [
    'one of every answer',
    { ...GOOD[0], answer_fields: OK.replace(ALWAYS, '') },
    /header field x-request-id is missing/,
  ],
  [
    'one that is not there',
    { ...GOOD[0], answer_fields: `${OK}X-New: 1\r\n` },
    /header field x-new is not in the document/,
  ],
  ['no body', { ...GOOD[0], answer_body: '' }, /there is no body/],
  ['a body where there is none', { ...GOOD[4], answer_body: 'x' }, /the document knows none/],
  ['a path', exchange('/other', 200, {}), /this path is not in the document/],
  ['a method', exchange('/things/1', 204, '', { method: 'PUT' }), /PUT \/things\/\{n\} is not in the document/],
  ['a query parameter', exchange('/things/1?bulk=1', 200, { id: 1 }), /query parameter bulk is not in the document/],
  ['its value', exchange('/things/1?size=10', 200, { id: 1 }), /size=10.*must be <= 9/],
  ['a path parameter', exchange('/things/one', 200, { id: 1 }), /path n=one.*must be integer/],
  [
    'a field of a request',
    exchange('/things/1', 204, '', post('{}', { fields: `${JSON_TYPE}If-Match: "1"\r\n` })),
    /header field if-match/,
  ],
  ['a member of a request', exchange('/things/1', 204, '', post('{"bulk":1}')), /member bulk is not in the document/],
  [
    'a member of a form',
    exchange('/things/1', 204, '', post('size=1&bulk=1', { fields: FORM })),
    /member bulk is not in the document/,
  ],
  [
    'a body where none is meant',
    exchange('/things/1', 200, { id: 1 }, { body: '{"size":1}', fields: JSON_TYPE }),
    /member size/,
  ],
  ['a known name that is called unknown', refusal('/things/1?size=3', 400, 'unknown-field'), /knows all that was sent/],
];

test('what fits is not complained of', () => assert.deepEqual(findings(GOOD), []));

for (const [what, exchanged, expected] of WRONG) {
  test(`it finds ${what}`, () => {
    const found = findings([...GOOD, exchanged]);
    assert.ok(
      found.some((finding) => expected.test(finding)),
      found.join('\n') || 'nothing was found',
    );
  });
}

const UNREACHED = {
  'member Parts.parts': 0,
  'getThing 304': 4,
  'getThing header If-None-Match': 4,
  'getThing 200 text/event-stream': 2,
  'getThing query size': 0,
  'getThing 404': 6,
  'getThing default': 7,
  'changeThing body application/x-www-form-urlencoded': 10,
  'changeThing 400': 11,
};

for (const [name, without] of Object.entries(UNREACHED)) {
  test(`it finds that nothing has reached ${name}`, () => {
    const found = findings(GOOD.filter((_, i) => i !== without));
    assert.ok(found.includes(`no test has reached ${name}`), found.join('\n') || 'nothing was found');
  });
}

test('a code that no answer has is found', () => {
  const found = findings(GOOD.filter((one) => !one.answer_body.includes('internal')));
  assert.ok(found.includes('no test has reached problem internal'));
});

test('an excuse that nothing needs is found', () => {
  const found = findings(GOOD, { unreached: new Map([['getThing 304', 'a reason']]) });
  assert.deepEqual(found, ['exceptions.yaml excuses what is well, or is not there: getThing 304']);
});

test('nothing is not enough', () => assert.ok(findings([]).includes('nothing was recorded')));
