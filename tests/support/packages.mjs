// packages: what npm ci has put into the build folder. ESM looks for packages beside the source only, and nothing of
// them belongs there: NODE_PACKAGES names the folder whose node_modules is meant.
import { createRequire } from 'node:module';
import path from 'node:path';

const folder = process.env.NODE_PACKAGES;
if (!folder) {
  console.error('NODE_PACKAGES is not set: run this by `make check-web` or `make check-contract`');
  process.exit(2);
}

export const take = createRequire(path.join(path.resolve(folder), 'package.json'));
