import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openExample } from '../../../test/support/example.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { paths, readRest } from '../../../test/support/rest-reads.ts';

const schema = join(import.meta.dirname, '../../../schema/generated/schema.graphql');
const folder = mkdtempSync(join(tmpdir(), 'builds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const enforcing = (manifest: string) =>
  startGateway({ settings: { TRUSTED_DOCUMENTS: manifest, TRUSTED_DOCUMENTS_MODE: 'enforce' } });

const clients = openExample('clients');
const page = openExample('react');

describe.skipIf(page.skip || clients.skip)('the manifest that graphql-codegen writes of examples/react', () => {
  const manifest = join(folder, 'gql/persisted-documents.json');
  let gateway: Gateway;

  beforeAll(async () => {
    const preset = join(page.folder, 'node_modules/@graphql-codegen/client-preset');
    const output = {
      preset: 'client',
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
    };
    const config = { schema, documents: join(page.folder, 'src/**/*.{ts,tsx}') };
    writeFileSync(
      join(folder, 'codegen.cjs'),
      `const { addTypenameSelectionDocumentTransform } = require(${JSON.stringify(preset)});
      const output = { ...${JSON.stringify(output)}, documentTransforms: [addTypenameSelectionDocumentTransform] };
      module.exports = { ...${JSON.stringify(config)}, generates: { ${JSON.stringify(join(folder, 'gql/'))}: output } };`,
    );
    await page.run('node_modules/.bin/graphql-codegen', ['--config', join(folder, 'codegen.cjs')]);
    gateway = await enforcing(manifest);
  }, 60_000);
  afterAll(() => gateway?.close());

  test.each([
    ['POST', {}],
    ['GET', { useGETForHashedQueries: true }],
  ])("has the ids that Apollo Client's persisted query link sends by %s", async (method, options) => {
    const modules = join(clients.folder, 'node_modules/@apollo/client');
    const { ApolloClient, ApolloLink, HttpLink, InMemoryCache } = await import(join(modules, 'core/index.js'));
    const { PersistedQueryLink } = await import(join(modules, 'link/persisted-queries/index.js'));
    const { FarmerDocument } = await import(join(folder, 'gql/graphql.ts'));
    const [{ id }] = (await readRest(gateway, `${paths.farmers}?limit=1`)).results;
    gateway.sandbox.clearCalls();

    const sent: { method: string; body?: string }[] = [];
    const http = new HttpLink({
      uri: gateway.url,
      headers: { authorization: 'demo-coop', 'apollo-require-preflight': 'true' },
      fetch(url: string, request: RequestInit & { method: string; body?: string }) {
        sent.push(request);
        return fetch(url, request);
      },
    });
    const generateHash = (document: { __meta__: { hash: string } }) => document.__meta__.hash;
    const link = ApolloLink.from([new PersistedQueryLink({ generateHash, ...options }), http]);
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const { data } = await client.query({ query: FarmerDocument, variables: { id } });

    expect(data.farmer).toMatchObject({ __typename: 'Farmer', id });
    expect(sent.map(({ method, body = '' }) => [method, /query/.test(body.replace('persistedQuery', ''))])).toEqual([
      [method, false],
    ]);
  });
});

describe.skipIf(clients.skip)('the manifest that relay-compiler writes of examples/clients', () => {
  const manifest = join(folder, 'relay.json');

  test('has the ids of all operations', async () => {
    // The compiler writes beside its sources, and looks for everything where it is started.
    cpSync(join(clients.folder, 'relay'), join(folder, 'relay'), { recursive: true });
    cpSync(schema, join(folder, 'schema.graphql'));
    writeFileSync(manifest, '{}');
    const persistConfig = { file: manifest, algorithm: 'SHA256' };
    const config = { src: './relay', schema: './schema.graphql', language: 'typescript', noSourceControl: true };
    writeFileSync(join(folder, 'relay.config.json'), JSON.stringify({ ...config, persistConfig }));
    const compiler = join(clients.folder, 'node_modules/.bin/relay-compiler');
    await promisify(execFile)(compiler, ['relay.config.json'], { cwd: folder });
    const texts: Record<string, string> = JSON.parse(readFileSync(manifest, 'utf8'));
    const [id = ''] = Object.entries(texts).find(([, text]) => text.startsWith('query documentsFarmersPage')) ?? [];
    const gateway = await enforcing(manifest);
    const { body: answer } = await gateway.ask({ documentId: id, variables: { first: 1 } });
    await gateway.close();

    expect(answer).toMatchObject({ data: { farmers: { edges: [{ node: { name: 'Ɔbaa Yaa Osei' } }] } } });
  });
});
