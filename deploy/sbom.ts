/**
 * Prints the SBOM in the format CycloneDX: the packages of a production install.
 * `npm sbom --omit dev` leaves out packages that development needs too, such as graphql. A lock file without packages
 * for development has no such cases.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print } from '../packages/base/command.ts';

interface Package {
  dev?: true;
  link?: true;
  workspaces?: string[];
  devDependencies?: Record<string, string>;
}

const root = new URL('../', import.meta.url);
const readJson = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8'));
// The packages of this repository are no one else's, and the root names all that they need.
const { devDependencies: _, workspaces: __, ...manifest }: Package & { name: string } = readJson('package.json');
const lock: { packages: Record<string, Package> } = readJson('package-lock.json');
const packages = Object.fromEntries(
  Object.entries(lock.packages).filter(([path, { dev, link }]) => !dev && !link && !path.startsWith('packages/')),
);
packages[''] = { ...packages[''] };
delete packages[''].devDependencies;
delete packages[''].workspaces;

const temporary = mkdtempSync(join(tmpdir(), 'sbom-'));
try {
  // npm names the SBOM by the folder.
  const folder = join(temporary, manifest.name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  const command = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  print(execFileSync('npm', command, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
} finally {
  rmSync(temporary, { recursive: true });
}
