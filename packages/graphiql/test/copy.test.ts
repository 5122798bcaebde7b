import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSchema } from 'graphql';
import type { Browser } from 'playwright-core';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { traceability } from '../../../src/app.ts';
import { launchBrowser } from '../../../test/support/browser.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { copiedHeaders, copiedOperation } from '../copied-operation.ts';
import { curlOf, fetchOf } from '../copy-as-request.ts';
import { exampleScreens } from '../examples.ts';
import { linkedOperation, linkTo } from '../operation-link.ts';
import { buildIfMissing } from '../serve.ts';
import { typedDocumentOf } from '../typed-document.ts';
import { GraphiqlPage, skipBrowser } from './graphiql-page.ts';

const run = promisify(execFile);
const examples = [...new Set(exampleScreens.flatMap((screen) => screen.examples))];

let gateway: Gateway;
let folder: string;
beforeAll(async () => {
  gateway = await startGateway({ settings: { FORWARD_HEADERS: 'x-api-key' } });
  folder = mkdtempSync(join(tmpdir(), 'copied-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway?.close();
});
beforeEach(() => gateway.sandbox.clearCalls());

/** Characters that shells, form fields and template literals have plans for. */
const awkward = `it's "quoted" \\ $HOME \`id\` \${1} !! ;type=text/plain @file é\n`;
const query = `# a comment
query One($name: String) { farmers(first_name: $name, limit: 1) { count } ...Rest }
query Two { currencies { count } }
fragment Rest on Query { products(name: ${JSON.stringify(awkward)}) { count } }`;

function copied(options: { key?: string; query?: string; variables?: Record<string, unknown> } = {}) {
  const headers = new Headers({ authorization: options.key ?? 'demo-coop', 'accept-language': 'fr' });
  return copiedOperation({
    url: gateway.url,
    query,
    operationName: 'One',
    variables: { name: awkward },
    ...options,
    headers: copiedHeaders(headers, new Set(['demo-coop'])),
  });
}

const upload = () =>
  copied({
    query:
      'mutation Send($to: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $to, invoice: $file) { invoice } }',
    variables: { to: 'GSXFJUYP6Y', file: 'its "bill"; 1,2.pdf (8 bytes, changed 2026-07-01 07:30:00)' },
  });

const filters = () =>
  gateway.sandbox
    .calls()
    .flatMap(({ path }) => [...new URL(path, gateway.url).searchParams].filter(([name]) => /name/.test(name)));

describe('copied as curl, an operation', () => {
  const bash = async (command: string, env: Record<string, string> = {}) => {
    const { stdout } = await run('bash', ['-c', command], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    return JSON.parse(stdout);
  };

  test('runs in bash, whatever its texts hold', async () => {
    const command = curlOf(copied());
    const { data, errors } = await bash(command);
    expect(errors).toBeUndefined();
    expect(data).toEqual({ farmers: { count: 0 }, products: { count: 0 } });
    expect(filters()).toEqual(
      expect.arrayContaining([
        ['first_name', awkward],
        ['name', awkward],
      ]),
    );
    // Neither the other operation nor the comment.
    expect(command).not.toMatch(/currencies|comment/);
    expect(command).toContain(`-H 'Accept-Language: fr'`);
  });

  test('has no secret, and takes it from the shell', async () => {
    const command = curlOf(copied({ key: 'Bearer demo-buyer' }));
    expect(command).not.toContain('demo-buyer');
    const { data } = await bash(command, { AUTHORIZATION: 'Bearer demo-buyer' });
    expect(data.farmers).toEqual({ count: 0 });
    expect(gateway.sandbox.calls()[0]?.headers.authorization).toBe('Bearer demo-buyer');
  });

  test('runs nothing that the name of a header holds', async () => {
    const { name = '', value } = copiedHeaders(new Headers({ 'x-`id`$path': 'secret' }), new Set())[0] ?? {};
    const command = curlOf({ ...copied(), headers: [{ name, value }] });
    const { stdout } = await run('bash', ['-c', command.replace(/^curl/, "printf '%s\\n'")]);
    expect(stdout).toContain('\nX-`id`$path: \n');
  });

  test('uploads a file, whatever its name', async () => {
    writeFileSync(join(folder, 'its "bill"; 1,2.pdf'), '%PDF-1.4');
    const { data, errors } = await bash(curlOf(upload()));
    expect(errors).toBeUndefined();
    expect(data.uploadInvoice.invoice).toMatch(/\.pdf$/);
    expect(gateway.sandbox.calls()[0]?.file).toMatchObject({ bytes: 8 });
  });
});

describe('copied as fetch, an operation', () => {
  const node = async (module: string) => {
    const file = join(folder, 'copied.mjs');
    writeFileSync(file, `${module}console.log(JSON.stringify({ data, errors }));`);
    return JSON.parse((await run(process.execPath, [file])).stdout);
  };

  test('runs as a module, whatever its texts hold', async () => {
    const { data, errors } = await node(fetchOf(copied()));
    expect(errors).toBeUndefined();
    expect(data).toEqual({ farmers: { count: 0 }, products: { count: 0 } });
    expect(filters()).toEqual(
      expect.arrayContaining([
        ['first_name', awkward],
        ['name', awkward],
      ]),
    );
  });

  test('has a constant in place of a secret', async () => {
    const module = fetchOf(copied({ key: 'Bearer demo-buyer' }));
    expect(module).not.toContain('demo-buyer');
    const { data } = await node(module.replace("authorization = ''", "authorization = 'demo-buyer'"));
    expect(data.farmers).toEqual({ count: 0 });
  });

  test('uploads the file of a form', async () => {
    const stub = `const document = { querySelector: () => ({ files: [new File(['%PDF-1.4'], 'a.pdf')] }) };\n`;
    const { data, errors } = await node(stub + fetchOf(upload()));
    expect(errors).toBeUndefined();
    expect(data.uploadInvoice.invoice).toMatch(/\.pdf$/);
  });
});

describe('copied as a typed document, operations', () => {
  const schema = buildSchema(traceability.typeDefs);
  const typed = (text: string) =>
    typedDocumentOf(schema, copiedOperation({ url: '', query: text, variables: {}, headers: [] }));

  test('have the types of their variables and answers', () => {
    const sources = examples.map(({ query }, place) => [`example-${place}.ts`, typed(query)] as const);
    const uses = `
      import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core';
      import { FarmersDocument } from './farmers.ts';
      import { PartyDocument } from './party.ts';
      import { CreateDocument } from './create.ts';
      type Row = NonNullable<ResultOf<typeof FarmersDocument>['farmers']>['results'][number];
      const name: string | null = ({} as Row).name;
      // @ts-expect-error: not selected
      ({} as Row).phone;
      // @ts-expect-error: may be null
      const sure: string = ({} as Row).name;
      const paged: VariablesOf<typeof FarmersDocument> = { first: 10 };
      // @ts-expect-error: a number
      const wrong: VariablesOf<typeof FarmersDocument> = { first: '10' };
      const created: VariablesOf<typeof CreateDocument> = { input: { first_name: 'Esi', country: null } };
      // @ts-expect-error: first_name is missing
      const incomplete: VariablesOf<typeof CreateDocument> = { input: {} };
      const party = ({} as ResultOf<typeof PartyDocument>).who;
      if (party?.__typename === 'Company') { const may: boolean | null = party.sell_enabled; const given: string | undefined = party.id; }
      // @ts-expect-error: of companies alone
      if (party?.__typename === 'Farmer') party.sell_enabled;
      export { name, sure, paged, wrong, created, incomplete };`;
    const others = [
      ['farmers.ts', typed('query Farmers($first: Int) { farmers(first: $first) { results { id name } } }')],
      [
        'party.ts',
        typed(`query Party($id: ID!, $all: Boolean!) {
          who: entity(id: $id) { __typename ...Name ... on Company { sell_enabled } ... @include(if: $all) { id } } }
        fragment Name on Entity { name }`),
      ],
      ['create.ts', typed('mutation Create($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }')],
      ['uses.ts', uses],
    ] as const;
    expect(errorsOf([...sources, ...others])).toEqual([]);
  });

  test('without a type in the schema are not copied', () => {
    expect(() => typed('{ nothing }')).toThrow('Nothing was copied: Query has no field nothing.');
    expect(() => typed('query ($a: Nothing) { farmers { count } }')).toThrow('no type for $a');
    expect(() => typed('{ farmers {')).toThrow('Nothing was copied: the editor holds no single operation');
  });

  /** The complaints of TypeScript about modules that stand in this repository. */
  function errorsOf(modules: readonly (readonly [name: string, text: string])[]): string[] {
    const at = (name: string) => join(import.meta.dirname, name);
    const texts = new Map(modules.map(([name, text]) => [at(name), text]));
    const options: ts.CompilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], allowImportingTsExtensions: true },
      ...{ target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] },
      ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    };
    const host = ts.createCompilerHost(options);
    const { readFile, fileExists } = host;
    host.readFile = (path) => texts.get(path) ?? readFile(path);
    host.fileExists = (path) => texts.has(path) || fileExists(path);
    const program = ts.createProgram([...texts.keys()], options, host);
    const diagnostics = program.getSourceFiles().filter(({ fileName }) => texts.has(fileName));
    return diagnostics
      .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
      .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  }
});

describe('a link to an operation', () => {
  const page = 'http://127.0.0.1:4000/graphql';
  const operation = { query: `{ farmers(first_name: ${JSON.stringify(awkward)}) { count } }`, variables: '{"a": 1}' };

  test.each(examples)('is short enough for a chat: $title', async ({ query, variables = '' }) => {
    const link = await linkTo(page, { query, variables });
    expect(link.length).toBeLessThan(1_500);
    expect(await linkedOperation(new URL(link).hash)).toEqual({ query, variables });
  });

  test('that was cut or changed says so, and opens nothing', async () => {
    const { hash } = new URL(await linkTo(page, operation));
    expect(await linkedOperation(hash)).toEqual(operation);
    const changed = [hash.slice(0, -9), `${hash}AA`, hash.replace(/.$/, '!'), '#operation=', '#operation=AAAA'];
    for (const each of changed) await expect(linkedOperation(each)).rejects.toThrow('This link is broken');
    expect(await linkedOperation('#elsewhere')).toBeUndefined();
  });

  test('that is too long is neither copied nor opened', async () => {
    const random = Array.from({ length: 3_000 }, (_, n) => `f${(n * 7919) ** 2}`).join(' ');
    await expect(linkTo(page, { query: `{ ${random} }`, variables: '' })).rejects.toThrow(
      /^No link was copied: it would have/,
    );
    await expect(linkedOperation(`#operation=${'A'.repeat(9_000)}`)).rejects.toThrow('too long');
    // Megabytes of one letter fit into a short link.
    const bomb = await linkTo(page, { query: 'a'.repeat(3_000_000), variables: '' });
    await expect(linkedOperation(new URL(bomb).hash)).rejects.toThrow('broken');
  });
});

// Megabytes of script take their time where many tests run at once.
describe.skipIf(skipBrowser)('in GraphiQL', { timeout: 60_000 }, () => {
  let browser: Browser;
  let graphiql: GraphiqlPage;

  beforeAll(async () => {
    await buildIfMissing(console);
    browser = await launchBrowser();
    graphiql = await GraphiqlPage.new(browser, gateway.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  });
  afterAll(() => browser?.close());
  beforeEach(() => graphiql.open());
  afterEach(() => expect(graphiql.complaints).toEqual([]));

  const copy = async (form: string): Promise<string> => {
    await graphiql.button('Copy as …').click();
    await graphiql.page.getByRole('menuitem', { name: form, exact: true }).click();
    const { y = 0, height = 0 } = (await graphiql.page.getByText('Copied').boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThan(graphiql.page.viewportSize()!.height);
    return graphiql.page.evaluate(() => navigator.clipboard.readText());
  };

  test('the menu copies the open operation without a key of its user', async () => {
    const keys = await graphiql.panel('Keys');
    await keys.getByLabel('Authorization', { exact: true }).fill('Bearer secret');
    await graphiql.typeInNewTab('query Euro { currencies(search: "EUR") { count } }');
    await graphiql.typeHeaders({ 'X-Api-Key': 'secret', 'Accept-Language': 'fr' });
    await graphiql.isTakenUp('query Euro');
    const curl = await copy('Copy as curl');
    expect(curl).toContain('query Euro{currencies(search:');
    expect(curl).toContain('-H "Authorization: $AUTHORIZATION" \\\n  -H "X-Api-Key: $X_API_KEY"');
    expect(await copy('Copy as fetch')).toContain("const authorization = ''; // Put your secret here.");
    const document = await copy('Copy as typed document');
    expect(document).toContain('export const EuroDocument: TypedDocumentNode<EuroData, EuroVariables> = parse(');
    const link = await copy('Copy a link to this operation');
    for (const text of [curl, document, link]) expect(text).not.toContain('secret');
  });

  test('a link opens the operation in a tab, runs nothing, and leaves the address', async () => {
    await graphiql.openExample('A farmer’s screen');
    await graphiql.isTakenUp('query FarmerScreen');
    const link = await copy('Copy a link to this operation');
    expect(link).toContain(`${gateway.url}#operation=`);
    expect(graphiql.page.url()).toBe(gateway.url);

    const other = await GraphiqlPage.new(browser, link);
    await other.open();
    await other.page.getByText('Nothing has run yet').waitFor();
    await other.tab('FarmerScreen').waitFor();
    expect(other.page.url()).toBe(gateway.url);
    expect(await other.page.evaluate(() => localStorage.getItem('graphiql:queries') ?? '')).not.toContain(
      'FarmerScreen',
    );
    expect(gateway.sandbox.calls()).toEqual([]);
    await other.run();
    await other.answer.getByText('"identification_no"').waitFor();

    await other.page.evaluate(() => {
      location.hash = '#operation=AAAA';
    });
    await other.page.getByRole('alert').getByText('This link is broken').waitFor();
    expect(other.page.url()).toBe(gateway.url);
    expect(other.complaints).toEqual([]);
    await other.close();
  });
});
