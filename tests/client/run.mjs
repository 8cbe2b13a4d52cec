// Generates the types of a TypeScript client from openapi.yaml, compiles play.mts against them, and lets it play
// against a real daemon.
//
//     node tests/client/run.mjs openapi.yaml
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { startDaemon } from '../support/daemon.mjs';

const packages = path.resolve(process.env.NODE_PACKAGES);
const folder = path.join(packages, 'client');
const here = new URL('.', import.meta.url);

function run(program, ...options) {
  execFileSync(path.join(packages, 'node_modules', '.bin', program), options, { stdio: ['ignore', 2, 2] });
}

// Beside the packages, where the compiler looks for them.
fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(folder);
for (const name of ['play.mts', 'tsconfig.json']) fs.copyFileSync(new URL(name, here), path.join(folder, name));
run('openapi-typescript', process.argv[2], '--output', path.join(folder, 'api.d.ts'));
run('tsc', '--project', folder);

const { play } = await import(pathToFileURL(path.join(folder, 'out', 'play.mjs')));
const daemon = await startDaemon(['--log-level', 'warn']);
try {
  const told = await play(daemon.origin);
  console.log(`a generated client played: ${told}`);
  assert.match(told, /^0-1 checkmate; piece_cannot_reach: /);
} finally {
  await daemon.close();
}
