// Holds recorded exchanges against openapi.yaml, both ways.
//
//     node tests/contract/check.mjs openapi.yaml RECORDING…
//
// Fails on whatever the document lacks or says otherwise, and on whatever of the document no test has reached: an
// operation, a status, a content type, a parameter. What cannot be reached stands in exceptions.yaml, with a reason.
import { Contract } from './contract.mjs';
import { readDocument } from './document.mjs';
import { readExceptions } from './exceptions.mjs';
import { readRecording } from './recording.mjs';

const SHOWN = 60;

const [file, ...recordings] = process.argv.slice(2);
const document = readDocument(file);
const contract = new Contract(document, readExceptions());
for (const recording of recordings) for await (const exchange of readRecording(recording)) contract.take(exchange);

const findings = contract.findings();
for (const finding of findings.slice(0, SHOWN)) console.log(finding);
if (findings.length > SHOWN) console.log(`… and ${findings.length - SHOWN} more`);
const statuses = document.operations.reduce((sum, operation) => sum + operation.responses.size, 0);
console.log(
  `${contract.count} exchanges, ${document.operations.length} operations with ${statuses} statuses, ` +
    `${findings.length} findings`,
);
process.exitCode = findings.length ? 1 : 0;
