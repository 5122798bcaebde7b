import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  around,
  chunked,
  file,
  form,
  head,
  lastChunk,
  operationOf,
  pdf,
  request,
} from '../../bench/lib/upload-form.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { printed, run } from '../support/own-process.ts';
import { extensionsOf, RawConnection, sendRaw } from '../support/raw-http.ts';
import { knownIds } from '../support/rest.ts';
import { scrape } from '../support/scrape.ts';
import { expectNoSpoolFiles } from './spool-files.ts';

const settings = { 'limits.uploads.fileBytes': '1000000', 'limits.uploads.running': '100' };
const shareBytes = 8 * 1024 * 1024;
const spooled = { limits: { uploads: { spooledBytes: shareBytes } } };
/** Eight of these fit. */
const fileBytes = 990_000;
const { TMPDIR } = process.env;

afterEach(async () => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await expectNoSpoolFiles();
});

const upload = (payment: string, content: Buffer) => request(form([...operationOf(payment), file(content)]), 'chunked');
const answersOf = (connections: RawConnection[]) =>
  Promise.all(connections.map(async (connection) => JSON.parse((await connection.answer())?.body ?? '{}')));
const spooledBytes = async ({ url }: Gateway) =>
  (await scrape(url)).find(({ name, labels }) => name === 'gateway_memory_bytes' && labels.share === 'spooled_files')
    ?.value;

describe('files without a length that fill limits.uploads.spooledBytes', () => {
  let gateway: FakedGateway;
  let payment: string;
  beforeAll(async () => {
    gateway = await startFakedGateway(settings, { file: spooled });
    payment = (await knownIds(gateway.sandbox)).payment;
  });
  afterAll(() => gateway.close());

  const saved = () => ({ data: { uploadInvoice: { id: payment, invoice: expect.any(String) } } });

  test('are all sent in turn when they come at once', async () => {
    const connections = Array.from({ length: 20 }, () => new RawConnection(gateway.url));
    const { before, after } = around(operationOf(payment), 'a.pdf');
    const pieces = [before, ...Array.from({ length: 9 }, () => pdf(fileBytes / 9)), after].map(chunked);
    // Each client has sent a ninth before one sends the next: no file is whole when the space is full.
    for (const { socket } of connections) socket.write(head('chunked'));
    for (const piece of pieces) {
      for (const { socket } of connections) socket.write(piece);
      await scrape(gateway.url);
    }
    for (const { socket } of connections) socket.write(lastChunk);
    expect(await answersOf(connections)).toEqual(connections.map(saved));
    for (const connection of connections) connection.close();
    await expect.poll(() => spooledBytes(gateway)).toBe(0);
  });

  test('wait unread while the service takes the others, and leave their room when their client leaves', async () => {
    gateway.upstream.clear();
    gateway.upstream.hold('writes');
    const sent = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const connection = new RawConnection(gateway.url);
        await connection.send(upload(payment, pdf(fileBytes)));
        return connection;
      }),
    );
    await gateway.upstream.untilArrived(8);
    const [leaving, waiting] = [new RawConnection(gateway.url), new RawConnection(gateway.url)];
    leaving.socket.write(upload(payment, pdf(fileBytes)));
    await expect.poll(() => spooledBytes(gateway)).toBeGreaterThan(shareBytes - 100_000);
    waiting.socket.write(upload(payment, pdf(fileBytes)));
    leaving.close();
    await expect.poll(() => spooledBytes(gateway)).toBeLessThanOrEqual(shareBytes);
    gateway.upstream.release();
    expect(await answersOf([...sent, waiting])).toEqual([...sent, waiting].map(saved));
    for (const connection of [...sent, waiting]) connection.close();
    await expect.poll(() => spooledBytes(gateway)).toBe(0);
  });
});

test('a file that is larger than limits.uploads.spooledBytes is refused', async () => {
  await using gateway = await startGateway({ file: spooled });
  const { payment } = await knownIds(gateway.sandbox);
  const refused = await sendRaw(gateway.url, upload(payment, pdf(9_000_000)));
  expect(refused?.status).toBe(503);
  expect(extensionsOf(refused)).toMatchObject({ code: 'OVERLOADED', retryable: true });
  await expectNoSpoolFiles();
  for (let time = 0; time < 2; time++) {
    const answer = await sendRaw(gateway.url, upload(payment, pdf(5_000_000)));
    expect(JSON.parse(answer!.body)).toMatchObject({ data: { uploadInvoice: { id: payment } } });
  }
});

describe('without a temporary folder that takes files, files wait in memory', () => {
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
  const stored = ({ sandbox }: Gateway) => sandbox.calls().flatMap(({ file }) => file?.sha256 ?? []);

  test('where the folder is missing', async () => {
    const log: string[] = [];
    const level = { ...settings, LOG_LEVEL: 'warn' };
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'uploads-test-'));
    const folder = temporary.path;
    const sandbox = { data: join(folder, 'sandbox') };
    await using gateway = await startGateway({
      sandbox,
      file: spooled,
      settings: level,
      log: (line) => log.push(line),
    });
    const { payment } = await knownIds(gateway.sandbox);
    gateway.sandbox.clearCalls();
    process.env.TMPDIR = join(folder, 'none');
    const contents = Array.from({ length: 20 }, () => pdf(fileBytes));
    const answers = await Promise.all(contents.map((content) => sendRaw(gateway.url, upload(payment, content))));
    const saved = { data: { uploadInvoice: { id: payment } } };
    for (const answer of answers) expect(JSON.parse(answer!.body)).toMatchObject(saved);
    expect(stored(gateway).sort()).toEqual(contents.map(sha256).sort());
    expect(await spooledBytes(gateway)).toBe(0);

    const large = await sendRaw(gateway.url, upload(payment, pdf(1_100_000)));
    expect(large?.status).toBe(413);
    const lines = log.filter((line) => line.includes('The temporary folder takes no files'));
    expect(lines).toHaveLength(1);
  });

  test('where the disk is full in the middle of a file', async () => {
    await using service = await startGateway();
    const { payment } = await knownIds(service.sandbox);
    const gateway = run({ UPSTREAM_URL: service.sandbox.url });
    const url = await printed(gateway, /GraphQL and GraphiQL +(\S+)/);
    await promisify(execFile)('prlimit', ['--pid', String(gateway.child.pid), '--fsize=300000']);
    service.sandbox.clearCalls();
    const content = pdf(1_000_001);
    const answer = await sendRaw(url, upload(payment, content));
    expect(JSON.parse(answer!.body)).toMatchObject({ data: { uploadInvoice: { id: payment } } });
    expect(stored(service)).toEqual([sha256(content)]);
  });
});
