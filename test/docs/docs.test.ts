import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getNamedType, isLeafType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../packages/base/errors/codes.ts';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { traceability } from '../../src/app.ts';
import { partFields } from '../../src/generated/contract.ts';
import { anchorsOf, blocks, inlineCode, type Page, pages, readPage, table, withoutBlocks } from './pages.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const packageJson = JSON.parse(read('package.json'));
const allPages = globSync(['*.md', 'docs/**/*.md', '{bench,deploy,examples,packages,test}/**/README.md'], {
  cwd: root,
  exclude: ['**/node_modules'],
})
  .sort()
  .map(readPage);

test('README.md has at most 180 lines', () => {
  expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(180);
});

test('each package has a README.md', () => {
  const folders = globSync('packages/*/package.json', { cwd: root }).map(dirname);

  expect(folders.length).toBeGreaterThan(20);
  expect(folders.filter((folder) => !existsSync(new URL(`${folder}/README.md`, root)))).toEqual([]);
});

test('README.md links every page', () => {
  const links = linksOf(readPage('README.md'));

  const missing = pages.map(({ path }) => path).filter((path) => path !== 'README.md' && !links.includes(path));
  expect(missing).toEqual([]);
});

test('docs/errors.md lists the codes of packages/base/errors/codes.ts', () => {
  expect(table('docs/errors.md', 'code').map(([code]) => unquoted(code))).toEqual(Object.keys(errorCodes));
});

test('README.md shows the defaults of docs/configuration.md', () => {
  const defaults = new Map(table('docs/configuration.md', 'variable').map(([name, value]) => [name, value]));
  const shown = table('README.md', 'setting').map(([name, value]) => [name, value]);

  expect(shown).toEqual(shown.map(([name]) => [name, defaults.get(name)]));
});

describe('settings', () => {
  const configuration = read('docs/configuration.md');
  const groups = configuration.split(/^### /m).slice(1);
  const inFile = groups.flatMap((group) => {
    const [, name] = /^`([\w.]+)`/.exec(group) ?? [];
    return [...group.matchAll(/^\| `(\w+)` \|/gm)].map(([, setting]) => `${name}.${setting}`);
  });
  const otherPages = pages.filter(({ path }) => path !== 'docs/configuration.md');

  test('docs/configuration.md lists settings of the file', () => {
    expect(inFile).toContain('limits.documents.depth');
  });

  test.each(otherPages.map((page) => [page.path, page] as const))('%s names settings that exist', (_path, page) => {
    const code = inlineCode(page);
    const named = code.filter((name) =>
      /^(?:upstream|retries|circuitBreaker|cache|limits|shutdown)\.[\w.]+$/.test(name),
    );

    expect(named.filter((name) => !inFile.includes(name))).toEqual([]);
  });
});

describe('docs/schema.md', () => {
  test('has every root field that leads to the service', () => {
    const schema = executableSchema(traceability);
    const shown = table('docs/schema.md', 'REST').flatMap(([, fields = '']) =>
      [...fields.matchAll(/`(\w+)[(`]/g)].map(([, name]) => name),
    );
    const rootFields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
      Object.values(type.getFields()).filter(
        // The page of a part has its fields.
        ({ name, type }) => !isLeafType(getNamedType(type)) && !(partFields.Query as readonly string[]).includes(name),
      ),
    );

    expect([...new Set([...shown, 'push'])].sort()).toEqual(rootFields.map(({ name }) => name).sort());
  });
});

test('docs/development/dependencies.md lists the packages of package.json and of test/tools', () => {
  const tools = JSON.parse(read('test/tools/package.json'));

  expect(packagesOf('docs/development/dependencies.md').sort()).toEqual(
    Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies, ...tools.dependencies }).sort(),
  );
});

test('docs/development/architecture.md names files that exist, by the end of their paths', () => {
  const exclude = ['**/node_modules'];
  const files = globSync(['src/**/*.ts', 'packages/**/*.ts', 'test/**/*.ts'], { cwd: root, exclude }).map(
    (path) => `/${path}`,
  );
  const named = inlineCode(readPage('docs/development/architecture.md')).filter((code) => /^[\w./-]+\.ts$/.test(code));

  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !files.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
});

describe.each(allPages.map((page) => [page.path, page] as const))('%s', (path, page) => {
  test('names npm scripts that exist', () => {
    // These folders have scripts of their own.
    const packages = ['bench', 'examples/agents'].map((folder) => JSON.parse(read(`${folder}/package.json`)));
    const scripts = [packageJson, ...packages].flatMap((each) => Object.keys(each.scripts));
    const code = [...inlineCode(page), ...blocks('sh').map(({ page: at, text }) => (at === path ? text : ''))];
    const named = code.flatMap((text) => [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name));

    expect(named.filter((name) => !scripts.includes(name!) && !ownScripts(path).includes(name!))).toEqual([]);
  });

  test('names files that exist', () => {
    const named = inlineCode(page).filter((code) =>
      /^(?:src|packages|schema|test|docs|bench|examples)\/[\w./-]*$/.test(code),
    );

    expect(named.filter((file) => !existsSync(new URL(file, root)) && !existsSync(join(dirname(path), file)))).toEqual(
      [],
    );
  });

  test('links files and headings that exist', () => {
    const missing = linksOf(page).filter((link) => {
      const [file = '', anchor] = link.split('#');
      if (!existsSync(new URL(file || path, root))) return true;
      return anchor !== undefined && !anchorsOf(readPage(file || path)).includes(anchor);
    });

    expect(missing).toEqual([]);
  });
});

/** The scripts of a folder with a package.json beside its page. */
function ownScripts(path: string): string[] {
  const file = join(dirname(path), 'package.json');
  return existsSync(new URL(file, root)) ? Object.keys(JSON.parse(read(file)).scripts ?? {}) : [];
}

/** The links of a page to files of the repository, as paths below the root. */
function linksOf({ path, text }: Page): string[] {
  return [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .map((link) => (link.startsWith('#') ? `${path}${link}` : join(dirname(path), link)));
}

function packagesOf(path: string): string[] {
  return [...read(path).matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', ').map(unquoted),
  );
}

function unquoted(cell = ''): string {
  return cell.replaceAll('`', '');
}
