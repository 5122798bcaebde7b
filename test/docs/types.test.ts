import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describedContract } from '../support/described-contract.ts';
import { openExample } from '../support/example.ts';
import { startGateway } from '../support/harness.ts';
import { blocks, table } from './pages.ts';

const page = 'docs/schema.md';
const textsOf = (language: string) =>
  blocks(language)
    .filter((block) => block.page === page)
    .map(({ text }) => text);

const [screen] = textsOf('graphql');
const [typesBefore, typesAfter, config, fetching] = textsOf('ts');
const [screenBefore, screenAfter] = textsOf('tsx');

const example = openExample('react');

test('docs/schema.md lists what the contract promises', () => {
  const { types, schemas } = describedContract();
  const promised = [...types.values()].flatMap(({ name, schemas: forms }) => {
    const fields = forms.flatMap((form) => schemas[form]?.['x-never-null'] ?? []);
    return fields.length > 0 ? [[`\`${name}\``, fields.map((field) => `\`${field}\``).join(', ')]] : [];
  });

  expect(table(page, 'where').slice(3)).toEqual(
    promised.toSorted(([a = ''], [b = '']) => plain(a).localeCompare(plain(b))),
  );
});

describe.skipIf(example.skip)('docs/schema.md', () => {
  const schema = join(import.meta.dirname, '../../schema/generated/schema.graphql');
  let folder: string;

  /** In the folder of the example, whose packages are those of the page. */
  beforeAll(async () => {
    folder = await mkdtemp(join(example.folder, 'types-'));
    await write('operation.graphql', screen!);
    // One run of the generator for both.
    const [target] = config!.match(/ {4}'src\/gql\/': \{[\s\S]*?\n {4}\},\n/) ?? [];
    const before = target!.replace('src/gql', join(folder, 'before/gql')).replace(/ *nullability.*\n/, '');
    const after = target!.replace('src/gql', join(folder, 'after/gql'));
    const both = config!
      .replace(target!, before + after)
      .replace("'schema.graphql'", JSON.stringify(schema))
      .replace('src/**/*.tsx', join(folder, 'operation.graphql'));
    await write('codegen.ts', both);
    await example.run('node_modules/.bin/graphql-codegen', ['--config', join(folder, 'codegen.ts')]);
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));

  async function write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }

  test.each([
    ['before', typesBefore],
    ['after', typesAfter],
  ])('shows the types that graphql-codegen makes %s', async (when, shown) => {
    const written = await readFile(join(folder, when, 'gql/graphql.ts'), 'utf8');
    const [type] = /export type FarmerScreenQuery = [^\n]*/.exec(written) ?? [];

    expect(plain(type!)).toBe(plain(shown!));
  });

  test('shows code that fits these types, and none that fits the others', async () => {
    const component = (text: string) => `import type { FarmerScreenQuery } from './gql/graphql.ts';\n${text}`;
    await write('before/screen.tsx', component(screenBefore!));
    await write('after/screen.tsx', component(screenAfter!));
    await write('after/read.ts', fetching!);
    await write('before/too-sure.tsx', component(screenAfter!));
    await write(
      'tsconfig.json',
      JSON.stringify({ extends: '../tsconfig.json', include: ['.'], exclude: ['codegen.ts'] }),
    );

    const errors: string = await example.run('node_modules/.bin/tsc', ['-p', folder]).then(
      () => '',
      ({ message }) => message,
    );

    const files = new Set([...errors.matchAll(/([\w-]+\.tsx?)[:(]\d+/g)].map(([, file]) => file));
    expect([...files], errors).toEqual(['too-sure.tsx']);
  });

  test('throws the error of a field when the code reads it', async () => {
    await write('after/read.ts', fetching!);
    await using gateway = await startGateway({ settings: { FORWARD_HEADERS: 'x-sandbox-fail' } });
    const headers = { 'x-sandbox-fail': '503:/supply-chains/companies' };
    const { read } = await import(join(folder, 'after/read.ts'));

    const answer = await gateway.query(screen!, {}, { headers });
    const { farmer } = await read(new Response(JSON.stringify(answer)));

    expect(farmer.name).toMatch(/\w/);
    expect(() => farmer.buyer).toThrow(expect.objectContaining({ path: ['farmer', 'buyer'] }));
  });
});

/** Without line breaks, spaces, and the marks at the ends of fields. */
function plain(type: string): string {
  return type.replaceAll(/[\s,;`]/g, '');
}
