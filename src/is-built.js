import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** `npm run build:start` has put the sources into a few files, and no source has changed since. */
export function isBuilt() {
  try {
    const list = join(root, 'dist/start/sources.json');
    const { mtimeMs } = statSync(list);
    return JSON.parse(readFileSync(list, 'utf8')).every((source) => statSync(join(root, source)).mtimeMs <= mtimeMs);
  } catch {
    return false;
  }
}
