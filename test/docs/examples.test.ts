import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, validate } from 'graphql';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { traceability } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { blocks, readPage } from './pages.ts';

const documentedAddress = 'http://127.0.0.1:4000/graphql';

// Each example gets a gateway of its own, because answers depend on earlier writes, and calls on earlier reads.
let gateway: Gateway;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-'));
  const manifest = join(folder, 'persisted-documents.json');
  await writeFile(manifest, blocks('json').find(({ text }) => text.startsWith('{ "sha256:'))!.text);
  const forwarded = [...readConfig({}).upstream.forwardHeaders, 'x-sandbox-delay', 'x-sandbox-fail'];
  const settings = { FORWARD_HEADERS: forwarded.join(','), TRUSTED_DOCUMENTS: manifest };
  gateway = await startGateway({ settings });
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

describe('operations', () => {
  const schema = executableSchema(traceability);
  const operations = blocks('graphql');

  test.each(operations)('is valid: $page $text', async ({ text }) => {
    expect(validate(schema, parse(text))).toEqual([]);
    if (!text.includes('# in the dialect `connect`')) return expect((await gateway.query(text)).errors).toEqual([]);
    await using connect = await startGateway({ sandbox: { dialect: 'connect' } });
    expect((await connect.query(text, {}, { key: 'Bearer demo-coop' })).errors).toEqual([]);
  });

  test.each(operations.filter(({ next }) => next?.language === 'text'))(
    'makes the calls shown: $page $text',
    async (block) => {
      const { calls } = await gateway.query(block.text);

      expect(calls.sort()).toEqual(block.next!.text.trim().split('\n').sort());
    },
  );
});

const noCurl = () => {
  try {
    execFileSync('bash', ['-c', 'curl --version'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
};
const skipCurl = noCurl();
if (skipCurl) console.warn('The curl examples of the docs are skipped: bash finds no curl.');

describe.skipIf(skipCurl)('commands', () => {
  beforeEach(async () => {
    await symlink(join(import.meta.dirname, '../../examples'), join(folder, 'examples'));
  });

  const answerLanguages = ['json', 'jsonl', 'csv'];
  const examples = blocks('sh').filter(({ text }) => text.includes('curl'));

  test('each curl example shows its answer', () => {
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter(({ next }) => !answerLanguages.includes(next?.language ?? ''))).toEqual([]);
  });

  test.each(examples)('gives the answer shown: $page $text', async ({ text, next }) => {
    const stdout = await run(text, gateway.url);

    if (next!.language === 'json') expect(comparable(stdout)).toEqual(comparable(next!.text));
    else expect(stdout.replaceAll('\r\n', '\n')).toBe(next!.text);
  });

  const writes = ['docs/mutations.md', 'packages/push/README.md'];
  test.each(examples.filter(({ page }) => writes.includes(page)))(
    'gives the answer shown in the dialect connect too: $page $text',
    async ({ text, next }) => {
      await using connect = await startGateway({ sandbox: { dialect: 'connect' } });

      expect(comparable(await run(text, connect.url))).toEqual(comparable(next!.text));
    },
  );

  async function run(text: string, url: string): Promise<string> {
    const { origin } = new URL(url);
    const command = text.replaceAll(new URL(documentedAddress).origin, origin).replaceAll('curl ', 'curl -sS ');
    return (await promisify(execFile)('bash', ['-c', command], { cwd: folder })).stdout;
  }
});

test('README.md shows the bytes of a page of 100 transactions with references', async () => {
  const example = readFileSync(
    new URL('../../packages/graphiql/examples/transactions.graphql', import.meta.url),
    'utf8',
  );
  const kilobytes = async (coding: string) => {
    const { body } = await request(gateway.url, {
      method: 'POST',
      headers: { authorization: 'demo-coop', 'content-type': 'application/json', 'accept-encoding': coding },
      body: JSON.stringify({ query: example.replace('first: 5', 'first: 100') }),
    });
    return `${((await body.arrayBuffer()).byteLength / 1_000).toFixed(1)} kB`;
  };
  const shown = readPage('README.md').text.replaceAll(/\s+/g, ' ');

  expect(shown).toContain(
    `has ${await kilobytes('identity')}: ${await kilobytes('zstd')} in \`zstd\`, ` +
      `${await kilobytes('br')} in \`br\`, ${await kilobytes('gzip')} in \`gzip\`.`,
  );
});

test('the upload function of docs/uploads.md sends its file', async () => {
  const block = blocks('js').find(({ page }) => page === 'docs/uploads.md');
  const code = block!.text.replace(documentedAddress, gateway.url);
  const page: { uploadInvoice(id: string, file: File): Promise<unknown> } = await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  );
  const { data } = await gateway.query('{ paymentTransactions(limit: 1) { results { id } } }');
  const { id } = data.paymentTransactions.results[0];

  const answer = await page.uploadInvoice(id, new File(['%PDF-1.7\n'], 'invoice.pdf', { type: 'application/pdf' }));

  expect(answer).toEqual({ data: { uploadInvoice: { id, invoice: expect.stringContaining('invoice.pdf') } } });
  expect(gateway.sandbox.calls().at(-1)?.file).toMatchObject({
    name: 'invoice.pdf',
    type: 'application/pdf',
    bytes: 9,
  });
});

/** An answer without the parts that differ from run to run. */
function comparable(answer: string): unknown {
  return JSON.parse(
    answer
      .replaceAll(/"(start|ms|queuedMs|workMs)": ?[\d.]+/g, '"$1":0')
      .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'request id')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/media\/invoices\/\w+_/g, 'media folder/'),
  );
}
