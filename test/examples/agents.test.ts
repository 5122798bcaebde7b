import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { costReport as runCostReport } from '../../src/commands/cost-report.ts';
import { blocks } from '../docs/pages.ts';
import { openExample } from '../support/example.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';

interface Result {
  content: { text: string }[];
  isError: boolean;
}
interface Client {
  listTools(): Promise<{ tools: { name: string; description: string }[] }>;
  callTool(call: { name: string; arguments?: object }): Promise<Result>;
  getInstructions(): string;
  close(): Promise<void>;
}
interface ServerSettings {
  command: string;
  args: string[];
  env: Record<string, string>;
}

const example = openExample('agents');
const key = 'demo-coop';
const create = 'mutation Create { createFarmer(input: { first_name: "Esi" }) { id } }';
const idOf = (document: string) => createHash('sha256').update(document).digest('hex');
const shown = (language: string) => blocks(language).filter(({ page }) => page === 'examples/agents/README.md');

describe.skipIf(example.skip)('the MCP server of examples/agents', () => {
  let folder: string;
  let gateway: FakedGateway;
  let client: Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agents-'));
    // An app of the same gateway may write.
    await writeFile(join(folder, 'app.json'), JSON.stringify({ [idOf(create)]: create }));
    gateway = await startFakedGateway(trusted());
    client = await connect(settingsOnPage('servers'), '2026-07-28');
  });
  afterAll(async () => {
    await client.close();
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  function trusted() {
    const manifests = [join(example.folder, 'manifest.json'), join(folder, 'app.json')];
    return { TRUSTED_DOCUMENTS: manifests.join(), TRUSTED_DOCUMENTS_MODE: 'enforce' };
  }

  /** The settings that examples/agents/README.md shows for the program of an agent, with the address of the gateway of this test. */
  function settingsOnPage(group: string): ServerSettings {
    const block = shown('json').find((each) => each.text.includes(`"${group}"`));
    const filled = block!.text
      .replace(/\/path\/to\/repository|\$\{workspaceFolder\}/, join(example.folder, '../..'))
      .replace('http://127.0.0.1:4000/graphql', gateway.url)
      .replace(/\$\{input:key\}/, key);
    return JSON.parse(filled)[group].traceability;
  }

  async function connect(settings: ServerSettings, protocol?: string): Promise<Client> {
    return (await import(join(example.folder, 'client.ts'))).connect(settings, protocol);
  }

  /** Runs a document as the server does, in this process. */
  async function read(documentId: string, variables: object, environment: object = {}): Promise<Result> {
    const { openGateway } = await import(join(example.folder, 'gateway.js'));
    const { signal } = new AbortController();
    return openGateway({ GATEWAY_URL: gateway.url, GATEWAY_KEY: key, ...environment }).read(
      documentId,
      variables,
      signal,
    );
  }

  async function documentOf(tool: string): Promise<string> {
    const tools = JSON.parse(await readFile(join(example.folder, 'tools.json'), 'utf8'));
    return tools.find(({ name }: { name: string }) => name === tool).documentId;
  }

  test('answers each tool with rows and with its cost, and never shows the key', async () => {
    const texts: string[] = [client.getInstructions()];
    const answers = new Set<string>();
    const call = async (name: string, given: object) => {
      gateway.sandbox.clearCalls();
      const { content, isError } = await client.callTool({ name, arguments: given });
      const [data = '', cost, ...errors] = content.map((block) => block.text);
      expect({ name, isError, errors }).toEqual({ name, isError: false, errors: [] });
      const calls = gateway.sandbox.calls().map(({ method }) => method);
      expect(cost).toMatch(new RegExp(`^Cost: calls ${calls.length}, rows [1-9]\\d*, service ms \\d+$`));
      expect(calls).not.toContain('POST');
      texts.push(...content.map((block) => block.text));
      answers.add(name);
      return JSON.parse(data);
    };

    const { farmers } = await call('FindFarmers', { last_name: 'adjei' });
    const { farmer } = await call('FarmerProfile', { id: farmers.results[0].id });
    expect(farmer.name).toBe('Yaa Adjei');
    expect(farmers.count).toBe(5);
    expect(texts).toContainEqual(expect.stringContaining('Cost: calls 1, rows 5, '));
    await call('CompanyProfile', { id: farmer.buyer.id });
    const { farmer: seller } = await call('FarmerTransactions', { id: farmer.id });
    const [newest] = seller.productTransactions.results;
    expect(newest.quantity).toMatch(/^\d+\.\d{3}$/);
    const { productTransaction } = await call('TransactionOrigin', { id: newest.id });
    expect(productTransaction).toMatchObject({ number: newest.number, source: { id: farmer.id } });
    const { productTransactions } = await call('Transactions', {});
    const { productTransactions: after } = await call('Transactions', { after: productTransactions.next });
    expect(new Set([...productTransactions.results, ...after.results].map(({ id }) => id)).size).toBe(40);
    const { paymentTransactions } = await call('Payments', {});
    const { id } = paymentTransactions.results[0];
    expect((await call('PaymentInvoice', { id })).paymentTransaction.id).toBe(id);
    const totals = await call('Totals', {});

    const { tools } = await client.listTools();
    expect([...answers].sort()).toEqual(tools.map(({ name }) => name));
    texts.push(JSON.stringify(tools));
    expect(texts.filter((each) => each.includes(key))).toEqual([]);
    const [page] = shown('text');
    expect(page?.text.split('\n')[0]).toBe(JSON.stringify(totals));
  });

  test('describes each tool by its purpose, its arguments and its cost', async () => {
    const { tools } = await client.listTools();

    for (const tool of tools) {
      expect(tool).toMatchObject({
        description: expect.stringMatching(/^\w.{30,}\.\nCost: calls \d+, rows \d+, service ms \d+$/),
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', additionalProperties: false },
      });
    }
    expect(tools.map(({ name, description }) => `${name}\n${description}\n`)).toContain(shown('text')[1]?.text);
  });

  test('starts in the same way for Claude Desktop, Cursor and VS Code', () => {
    expect(settingsOnPage('servers')).toEqual({ type: 'stdio', ...settingsOnPage('mcpServers') });
  });

  test('refuses a tool that it lacks, and an argument that the document lacks, without a call', async () => {
    gateway.upstream.clear();

    await expect(client.callTool({ name: 'Create' })).rejects.toThrow('Tool Create not found');
    const query = { name: 'query', arguments: { query: '{ farmers { count } }' } };
    await expect(client.callTool(query)).rejects.toThrow('Tool query not found');
    const misnamed = await client.callTool({ name: 'FindFarmers', arguments: { name: 'Ama' } });
    expect(misnamed.isError).toBe(true);
    expect(misnamed.content[0]?.text).toMatch(/There is no name\. The arguments are: first_name, .*after\.$/);
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('cannot write by the id of a mutation that the gateway knows', async () => {
    gateway.upstream.clear();

    const { isError, content } = await read(idOf(create), {});

    expect({ isError, text: content[0]?.text }).toEqual({
      isError: true,
      text: expect.stringMatching(/^BAD_REQUEST: GET .* mutation/),
    });
    expect(gateway.upstream.calls).toEqual([]);
    // The gateway does know it.
    expect((await gateway.ask({ documentId: idOf(create) })).body.data.createFarmer).toMatchObject({});
  });

  test('shares a key that opens no other document', async () => {
    const { body } = await gateway.ask({ query: '{ farmers { count } }' });
    const [error] = body.errors;

    expect(shown('text').map((block) => block.text)).toContain(`${error.extensions.code}: ${error.message}\n`);
  });

  test.each([
    ['NOT_FOUND', 'FarmerProfile', { id: 'NOSUCHIDXX' }, 'The same call will fail again.'],
    ['BAD_USER_INPUT', 'FindFarmers', { after: 'x' }, 'Correct the arguments.'],
    ['UNAUTHENTICATED', 'FindFarmers', {}, 'Ask the person who set GATEWAY_KEY to check it.', 'secret-of-nobody'],
  ])('names %s and the next step', async (code, tool, variables, step, GATEWAY_KEY = key) => {
    const { isError, content } = await read(await documentOf(tool), variables, { GATEWAY_KEY });

    const [error] = content;
    expect({ isError, text: error?.text }).toEqual({
      isError: true,
      text: expect.stringMatching(new RegExp(`^${code} at farmers?: .*\\. ${step}$`)),
    });
    expect(JSON.stringify(content)).not.toContain(GATEWAY_KEY);
    if (code === 'NOT_FOUND') expect(shown('text').at(-1)?.text).toBe(`${error?.text}\n`);
  });

  test('gives the data that there is, then the errors, then the cost', async () => {
    const id = (await read(await documentOf('FindFarmers'), {})).content[0]?.text.match(/"id":"(\w+)"/)?.[1];
    gateway.upstream.respond = ({ path }) => (path.includes('/companies/') ? { status: 503 } : undefined);

    const { isError, content } = await read(await documentOf('FarmerProfile'), { id });

    gateway.upstream.respond = undefined;
    expect(isError).toBe(false);
    expect(content.map((block) => block.text)).toEqual([
      expect.stringContaining('"buyer":null'),
      expect.stringMatching(/^UPSTREAM_UNAVAILABLE at farmer\.buyer: .* Try again later\.$/),
      expect.stringMatching(/^Cost: calls 2, /),
    ]);
  });

  test('says when it may go on, where its caller has too many operations', async () => {
    await using busy = await startFakedGateway({ ...trusted(), MAX_OPERATIONS_PER_CALLER: '1' });
    const GATEWAY_URL = busy.url;
    const find = async (last_name: string, GATEWAY_KEY: string) =>
      read(await documentOf('FindFarmers'), { last_name }, { GATEWAY_URL, GATEWAY_KEY });
    // The gateway knows both keys.
    await find('a', key);
    await find('a', 'demo-buyer');
    busy.upstream.clear();
    busy.upstream.hold();
    const running = find('b', key);
    await busy.upstream.untilArrived(1);

    const refused = await find('c', key);
    const other = find('c', 'demo-buyer');
    await busy.upstream.untilArrived(2);
    busy.upstream.release();

    expect(refused.content[0]?.text).toMatch(/^RATE_LIMITED: .* Try again in \d+ s\.$/);
    expect([refused, await running, await other].map(({ isError }) => isError)).toEqual([true, false, false]);
  });

  test.each([
    ['no key', {}, 'GATEWAY_KEY'],
    ['a key of two lines', { GATEWAY_KEY: 'secret\nof two' }, 'GATEWAY_KEY'],
    ['no address', { GATEWAY_KEY: 'secret', GATEWAY_URL: 'here' }, 'GATEWAY_URL'],
    [
      'an address with a password',
      { GATEWAY_KEY: 'secret', GATEWAY_URL: 'http://me:secret@127.0.0.1/' },
      'GATEWAY_URL',
    ],
    [
      'an address with a user',
      { GATEWAY_KEY: 'secret', GATEWAY_URL: 'http://secret@127.0.0.1/' },
      'without a password',
    ],
    ['an address of no web server', { GATEWAY_KEY: 'secret', GATEWAY_URL: 'file:///graphql' }, 'GATEWAY_URL'],
    ['the address of a page', { GATEWAY_KEY: 'secret', GATEWAY_URL: 'page' }, 'GATEWAY_URL answers 404'],
    ['no gateway', { GATEWAY_KEY: 'secret', GATEWAY_URL: 'http://127.0.0.1:1/graphql' }, 'GATEWAY_URL (bad port)'],
  ])(
    'names the setting for %s, and not its secret',
    async (_, { GATEWAY_URL, ...environment }: Record<string, string>, named) => {
      const page = new URL('/nothing', gateway.url).href;
      const answer = read(
        idOf(''),
        {},
        {
          GATEWAY_KEY: undefined,
          ...environment,
          ...(GATEWAY_URL && { GATEWAY_URL: GATEWAY_URL === 'page' ? page : GATEWAY_URL }),
        },
      );

      await expect(answer).rejects.toThrow(named);
      await expect(answer).rejects.not.toThrow('secret');
    },
  );

  test.each([
    ['a page of a proxy', 503, '<h1>secret</h1>', 'answers 503 without GraphQL. Try again later.'],
    ['JSON of a proxy', 401, '{"error":"secret"}', 'answers 401 without GraphQL. Ask the person who set GATEWAY_KEY'],
    ['null', 200, 'null', 'answers 200 without GraphQL. Is it the address of GraphQL?'],
    ['errors of another form', 500, '{"errors":{"message":"secret"}}', 'answers 500 without GraphQL.'],
    ['a redirect', 302, '', 'answers 302 without GraphQL.'],
    ['half an answer', 200, undefined, '(UND_ERR_SOCKET): is it running?'],
  ])('refuses %s with the next step, and repeats nothing of it', async (_, status, body, message) => {
    await using proxy = createServer((__, response) => {
      response.writeHead(status, { location: gateway.url, ...(body === undefined && { 'content-length': 9 }) });
      if (body === undefined) response.write('{', () => response.destroy());
      else response.end(body);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;

    const answer = read(await documentOf('Totals'), {}, { GATEWAY_URL: `http://127.0.0.1:${port}/` });

    await expect(answer).rejects.toThrow(message);
    await expect(answer).rejects.not.toThrow('secret');
  });

  test('gives the length and the cost of an answer that is too long for a model, and not its data', async () => {
    const upstream = { total: 1, calls: [{ rows: 9, workMs: 5 }] };
    const body = JSON.stringify({ data: { farmers: 'x'.repeat(100_000) }, extensions: { upstream } });
    await using service = createServer((_, response) => void response.end(body)).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;

    const { isError, content } = await read(idOf(''), {}, { GATEWAY_URL: `http://127.0.0.1:${port}/` });

    expect(isError).toBe(true);
    expect(content.map((block) => block.text)).toEqual([
      expect.stringMatching(/^The answer has 100014 characters, and a tool gives at most 100000\. .{0,99}$/),
      'Cost: calls 1, rows 9, service ms 5',
    ]);
  });

  test('names TOOLS where that file has no tools', async () => {
    const server = spawn(process.execPath, [join(example.folder, 'server.js')], {
      env: { GATEWAY_KEY: key, TOOLS: join(folder, 'app.json') },
    });
    const [output, complaint, [status]] = await Promise.all([
      text(server.stdout),
      text(server.stderr),
      once(server, 'exit'),
    ]);

    expect({ output, status }).toEqual({ output: '', status: 1 });
    expect(complaint).toMatch(/^TOOLS is the file that "npm run build" writes: .*app\.json is no list of tools\.\n$/);
  });

  describe('the build', () => {
    /** Runs the build with a report of `npm run bill`, and returns its complaint. */
    async function build(report: string): Promise<string> {
      const child = spawn(process.execPath, [join(example.folder, 'build.ts'), folder]);
      child.stdin.end(report);
      const [complaint] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      return complaint;
    }

    test('makes the manifest and the tools of this repository', async () => {
      let report = '';
      const log = (printed: string) => {
        report += printed;
      };
      await runCostReport(['--format', 'json', join(example.folder, 'operations')], { log, error: log });

      expect(await build(report)).toBe('');

      for (const file of ['manifest.json', 'tools.json']) {
        const built = await readFile(join(folder, file), 'utf8');
        expect(built, '"npm run build" in examples/agents writes it anew').toBe(
          await readFile(join(example.folder, file), 'utf8'),
        );
      }
    });

    test('refuses a mutation', async () => {
      const file = join(folder, 'create.graphql');
      await writeFile(file, `# Makes a farmer.\n${create}`);

      const complaint = await build(JSON.stringify({ operations: [{ name: 'Create', file, errors: [] }] }));

      expect(complaint).toContain('create.graphql: Create is a mutation; a tool is a query.');
    });

    test('refuses two tools of one name', async () => {
      const operations = ['a.graphql', 'b.graphql'].map((file) => ({ name: 'Count', file, errors: [] }));

      expect(await build(JSON.stringify({ operations }))).toBe(
        'a.graphql: b.graphql has a tool of the same name, Count.\n',
      );
    });

    test('describes arguments that only a fragment takes, and their defaults', async () => {
      const file = join(folder, 'count.graphql');
      const query = 'query Count($name: String = "a") { ...Counted }';
      const fragment = 'fragment Counted on Query { farmers(last_name: $name) { count } }';
      await writeFile(file, `# Counts farmers.\n${query}\n${fragment}`);
      const usual = { calls: 1, rows: 1, workMs: 1 };

      const complaint = await build(JSON.stringify({ operations: [{ name: 'Count', file, errors: [], usual }] }));

      expect(complaint).toBe('');
      const [tool] = JSON.parse(await readFile(join(folder, 'tools.json'), 'utf8'));
      expect(tool.inputSchema.properties.name).toEqual({
        type: 'string',
        default: 'a',
        description: expect.stringContaining('last name'),
      });
    });
  });

  test('has a client for a terminal, which speaks the older protocol', async () => {
    const listed = await example.run(process.execPath, ['client.ts'], { GATEWAY_URL: gateway.url });

    expect(listed).toContain(shown('text')[1]?.text);
  });

  test('has the types that its packages expect', () => example.run('node_modules/.bin/tsc', []));
});
