import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { isBuilt } from './is-built.js';

// Node writes modules there when it ends: compiled, and without types. The next start takes two thirds of the time. Where
// nothing can be written, Node starts without.
enableCompileCache(join(import.meta.dirname, '../dist/compile-cache'));

// An import statement would load the program before the cache is open. This file has no types: for a file outside of the cache,
// Node loads a compiler of 30 MB to strip them.
await import(isBuilt() ? '../dist/start/main.js' : './main.ts');
