// exceptions: exceptions.yaml, each entry with its reason.
import fs from 'node:fs';

import { take } from '../support/packages.mjs';

const yaml = take('yaml');

function asMap(object) {
  for (const [name, reason] of Object.entries(object ?? {}))
    if (typeof reason !== 'string' || !reason) throw new Error(`exceptions.yaml: ${name} has no reason`);
  return new Map(Object.entries(object ?? {}));
}

export function readExceptions() {
  const read = yaml.parse(fs.readFileSync(new URL('exceptions.yaml', import.meta.url), 'utf8'));
  return {
    everywhere: asMap(read.everywhere),
    sometimes: asMap(read.sometimes),
    anywhere: asMap(read.anywhere),
    tolerated: asMap(read.tolerated),
    unreached: asMap(read.unreached),
  };
}
