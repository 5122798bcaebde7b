import { existsSync, readFileSync } from 'node:fs';
import { type GraphQLField, getNamedType, isLeafType, isNonNullType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { errorCodes } from '../../src/graphql/errors/codes.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import { endpoints } from '../../src/upstream/endpoints.ts';
import { inlineCode, readme, readmeBlocks, readmeTable } from '../support/readme.ts';

const root = new URL('../../', import.meta.url);
const packageJson = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const schema = createSchema();

test('the table of errors holds the codes of src/graphql/errors/codes.ts', () => {
  expect(readmeTable('code').map(([code]) => unquoted(code))).toEqual(Object.keys(errorCodes));
});

describe('settings', () => {
  const rows = readmeTable('setting').map(([name, value]) => [unquoted(name), unquoted(value)] as const);

  test('the table holds the settings of src/config.ts', () => {
    // Read from the source, because settings without a default are not among the values of a configuration.
    const source = readFileSync(new URL('src/config.ts', root), 'utf8');
    const names = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);

    expect(rows.map(([name]) => name)).toEqual(names.filter((name) => name !== 'FILTERS'));
  });

  test('the table shows their defaults', () => {
    const defaults: Record<string, unknown> = readConfig({});
    const shown = rows.map(([name]) => [name, name in defaults ? String(defaults[name]) : 'none']);

    expect(rows).toEqual(shown);
  });

  test('the filter names shown rename a filter', () => {
    const shown = inlineCode().flatMap((code) => [...code.matchAll(/^(FILTER_[A-Z_]+)=(\w+)$/g)]);
    expect(shown).not.toEqual([]);

    for (const [, name = '', parameter] of shown) {
      const renamed = Object.values(readConfig({ [name]: parameter }).FILTERS).flatMap((names) => Object.values(names));
      expect(renamed, name).toEqual([parameter]);
    }
  });
});

describe('the table REST → GraphQL', () => {
  const rows = readmeTable('REST').map(([rest = '', graph = '']) => ({
    endpoint: unquoted(rest),
    fields: [...graph.matchAll(/`(\w+)\(([^)]*)\)`/g)].map(([, name = '', args = '']) => ({ name, args })),
  }));

  test('holds the 23 endpoints', () => {
    expect(rows.map(({ endpoint }) => endpoint)).toEqual(
      Object.values(endpoints).map(({ method, path }) => `${method} ${path}`),
    );
  });

  test('holds every root field with its arguments', () => {
    const shown = rows.flatMap(({ fields }) => fields.map(({ name, args }) => `${name}(${args})`));
    const rootFields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
      Object.values(type.getFields())
        // What the gateway knows by itself.
        .filter((field) => !isLeafType(getNamedType(field.type)))
        .map(signatureOf),
    );

    expect([...new Set(shown)].sort()).toEqual(rootFields.sort());
  });

  function signatureOf({ name, args }: GraphQLField<unknown, unknown>): string {
    const names = args.map((arg) => (isNonNullType(arg.type) ? `${arg.name}!` : arg.name)).join(', ');
    return `${name}(${names.replace('limit, offset, first, after, last, before', '…page')})`;
  }
});

test('the list of dependencies holds those of package.json', () => {
  const list = readme.slice(readme.indexOf('### Dependencies'));
  const named = [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

  expect(named).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
});

test('every npm script named exists', () => {
  const code = [...inlineCode(), ...readmeBlocks('sh').map(({ text }) => text)];
  const named = code.flatMap((text) => [...text.matchAll(/npm (?:run (?:-s )?)?([\w:-]+)/g)].map(([, name]) => name));

  expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(named.filter((name) => name !== 'ci')));
});

test('every file named exists', () => {
  const named = inlineCode().filter((code) => /^(src|schema|test)\/|^[\w.-]+\.(graphql|json|ts)$/.test(code));
  expect(named).not.toEqual([]);

  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

function unquoted(cell = ''): string {
  return cell.replaceAll('`', '');
}
