import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Component {
  name: string;
  version: string;
  licenses?: { license?: { id: string }; expression?: string }[];
}

const root = new URL('../../', import.meta.url);
const lock: { packages: Record<string, { version: string; dev?: true; link?: true }> } = JSON.parse(
  readFileSync(new URL('package-lock.json', root), 'utf8'),
);
/** Licences that ask for no more than a notice. */
const allowed =
  /^\(?(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0)(?: (?:AND|OR) (?:MIT|BSD-3-Clause))?\)?$/;
/** Packages that name their licence in an older form, and the file of the package says MIT. */
const ofOlderForm = ['busboy', 'streamsearch'];

test('npm run sbom lists every package of a production install, and licences that need a notice only', () => {
  const sbom: { components: Component[] } = JSON.parse(
    execFileSync(process.execPath, ['deploy/sbom.ts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );

  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path !== '' && !dev && !link && !path.startsWith('packages/'),
  );
  const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');
  expect([...new Set(sbom.components.map(({ name, version }) => `${name}@${version}`))].sort()).toEqual(
    [...new Set(installed.map(([path, { version }]) => `${nameOf(path)}@${version}`))].sort(),
  );
  const refused = sbom.components.filter(({ name, licenses: [one] = [] }) => {
    const licence = one?.license?.id ?? one?.expression ?? '';
    return !allowed.test(licence) && !ofOlderForm.includes(name);
  });
  expect(refused.map(({ name }) => name)).toEqual([]);
});
