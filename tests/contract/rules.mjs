// What openapi.yaml promises of itself (API.md 12) and redocly cannot say.
//
//     node tests/contract/rules.mjs openapi.yaml
import { readDocument } from './document.mjs';

const PROBLEM = '#/components/schemas/Problem';

const isJson = (type) => type === 'application/json';

function* contents(document) {
  for (const operation of document.operations) {
    if (operation.body) yield [`${operation.id} body`, operation.body.content];
    for (const [status, response] of operation.responses)
      if (response.content) yield [`${operation.id} ${status}`, response.content];
  }
}

function* jsonIsFirst(document) {
  for (const [name, content] of contents(document)) {
    const types = Object.keys(content);
    if (types.some(isJson) && !isJson(types[0])) yield `${name}: JSON is not its first content type`;
  }
}

function* problemsAreProblems(document) {
  for (const operation of document.operations) {
    if (!operation.responses.has('default')) yield `${operation.id}: no default`;
    for (const [status, response] of operation.responses) {
      if (status < 400) continue;
      const json = response.content?.['application/problem+json'];
      if (json?.schema.$ref !== PROBLEM) yield `${operation.id} ${status}: no Problem`;
      if (!response.content?.['text/plain']) yield `${operation.id} ${status}: a problem can be had as text too`;
    }
  }
}

// Generators make of a oneOf what `discriminator` says, and nothing good without it.
function* oneOfIsTold(node, where) {
  if (node === null || typeof node !== 'object') return;
  if (node.oneOf && !node.discriminator) yield `${where}: oneOf without a discriminator`;
  for (const [key, value] of Object.entries(node)) if (key !== 'examples') yield* oneOfIsTold(value, `${where}/${key}`);
}

// An object that a client makes or gets has a name, so that generated types have one.
function* bodiesHaveNames(document) {
  for (const [name, content] of contents(document))
    for (const [type, { schema }] of Object.entries(content))
      if (isJson(type) && !schema.$ref && Object.keys(schema.properties ?? {}).length)
        yield `${name}: a schema without a name`;
}

const document = readDocument(process.argv[2]);
const faults = [
  ...jsonIsFirst(document),
  ...problemsAreProblems(document),
  ...oneOfIsTold(document.root, '#'),
  ...bodiesHaveNames(document),
];
for (const fault of faults) console.log(fault);
console.log(`${document.operations.length} operations, ${faults.length} faults of the document`);
process.exitCode = faults.length ? 1 : 0;
