import { join } from 'node:path';
import { isBuilt } from './is-built.js';

// An older Node lacks exports that the modules below import, and would say no more than that.
const least = 24;
const { node } = process.versions;
if (Number(node.split('.')[0]) < least) {
  console.error(
    `This is Node ${node}, and the gateway needs Node ${least}. "npm ci" installs it, and "npm start" runs it.`,
  );
  process.exit(1);
}

const [argument = 'sandbox'] = process.argv.slice(2);
if (argument !== 'sandbox') {
  console.error(
    `There is no argument "${argument}": settings are environment variables, such as PORT=4000, or stand in gateway.yaml.`,
  );
  process.exit(1);
}

// Node writes modules there when it ends: compiled, and without types. The next start takes two thirds of the time. Where
// nothing can be written, Node starts without.
process.getBuiltinModule('node:module').enableCompileCache(join(import.meta.dirname, '../dist/compile-cache'));

// An import statement would load the program before the cache is open. This file has no types: for a file outside of the cache,
// Node loads a compiler of 30 MB to strip them.
await import(isBuilt() ? '../dist/start/main.js' : './main.ts');
