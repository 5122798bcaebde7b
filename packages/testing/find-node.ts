import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Older ones cannot copy a database in memory. */
export const neededNode = '24.16';

/** The Node that runs the tests, or a newer one in a package `node` of the folders above. */
export function findNode(folders: string[] = [process.cwd(), __dirname], running = process.versions.node): string {
  if (isNewEnough(running)) return process.execPath;
  const tooOld: string[] = [];
  for (const start of folders) {
    for (let folder = start; ; folder = dirname(folder)) {
      const program = join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
      if (existsSync(program)) {
        const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/node/package.json'), 'utf8'));
        if (isNewEnough(version)) return program;
        tooOld.push(`${program} is ${version}. `);
      }
      if (folder === dirname(folder)) break;
    }
  }
  throw new Error(
    `The test gateway needs Node ${neededNode}, and these tests run on Node ${running}. ` +
      `${[...new Set(tooOld)].join('')}Install a newer one beside them: npm install -D node@24`,
  );
}

/** Node 25 never got what Node 24.16 and 26 have. */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 24 && minor >= 16) || major >= 26;
}
