import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chunked, file, form, head, operationOf, pdf, request } from '../../bench/lib/upload-form.ts';
import { httpAnswer } from '../support/fake-upstream.ts';
import { type FaultProxy, type Faults, startFaultProxy } from '../support/fault-proxy.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { extensionsOf, RawConnection, sendRaw } from '../support/raw-http.ts';
import { knownIds } from '../support/rest.ts';
import { expectNoSpoolFiles, spoolFiles } from './spool-files.ts';

const maxBytes = 2_500_000;
const framings = ['length', 'chunked'] as const;
let gateway: Gateway;
/** Over the same service, which has to be quicker for this one. */
let impatient: Gateway;
let proxy: FaultProxy;
let payment: string;
let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'sandbox-data-'));
  gateway = await startGateway({
    sandbox: { data },
    settings: { 'limits.uploads.fileBytes': String(maxBytes) },
    upstreamUrl: async (sandboxUrl) => {
      proxy = await startFaultProxy(sandboxUrl);
      return proxy.url;
    },
  });
  impatient = await startGateway({ settings: { 'upstream.timeouts.uploadIdleMs': '1000' }, upstreamUrl: proxy.url });
  payment = (await knownIds(gateway.sandbox)).payment;
});
afterAll(async () => {
  await gateway.close();
  await impatient.close();
  await proxy.close();
  await rm(data, { recursive: true });
});
beforeEach(() => gateway.sandbox.clearCalls());
afterEach(async () => {
  proxy.set({});
  await expectNoSpoolFiles();
  await expect.poll(received).toEqual([]);
});

const upload = (content: Buffer) => form([...operationOf(payment), file(content)]);
const stored = () => gateway.sandbox.calls().flatMap(({ file }) => file?.sha256 ?? []);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
/** Unfinished files of the service. */
const received = async () =>
  (await readdir(join(data, 'invoices')).catch(() => [])).filter((name) => name.endsWith('.part'));

async function send(body: Buffer, framing: (typeof framings)[number], to = gateway.url) {
  const answer = await sendRaw(to, request(body, framing));
  const { errors = [] } = JSON.parse(answer?.body ?? '{}');
  return { status: answer?.status, code: errors[0]?.extensions.code, retryable: errors[0]?.extensions.retryable };
}

const content = pdf(2_000_000);

/** Sends an upload with ever more patience. A busy machine may take longer for the file than the gateway waits for it. */
async function sendUntilStored(framing: (typeof framings)[number]) {
  for (let ms = 1_000; ; ms *= 2) {
    const settings = { 'upstream.timeouts.uploadIdleMs': String(ms) };
    await using patient = await startGateway({ settings, upstreamUrl: proxy.url });
    const answer = await send(upload(content), framing, patient.url);
    await expect.poll(() => gateway.sandbox.calls().filter(({ status }) => status === 0)).toEqual([]);
    if (stored().includes(sha256(content))) return answer;
  }
}

describe.each(framings)('an upload (%s)', (framing) => {
  test('arrives whole over a slow connection', async () => {
    proxy.set({ request: { latency: 5, bytesPerSecond: 20e6 }, answer: { latency: 5, bytesPerSecond: 1e6 } });
    expect(await send(upload(content), framing)).toMatchObject({ status: 200, code: undefined });
    expect(stored()).toEqual([sha256(content)]);
  });

  test.each<[string, Faults]>([
    ['resets the connection at once', { request: { resetAfter: 0 } }],
    ['resets the connection in the middle', { request: { resetAfter: 1_000_000 } }],
    ['closes the connection in the middle', { request: { endAfter: 1_000_000 } }],
    ['reads no further', { request: { stallAfter: 1_000_000 } }],
  ])('to a service that %s is not stored', async (_case, faults) => {
    proxy.set(faults);
    const answer = await send(upload(content), framing, impatient.url);
    expect(answer).toEqual({ status: 200, code: 'OUTCOME_UNKNOWN', retryable: false });
    proxy.reset();
    await expect.poll(() => proxy.open).toBe(0);
    expect(stored()).toEqual([]);
  });

  test('without an answer is OUTCOME_UNKNOWN, and may be stored', async () => {
    proxy.set({ answer: { stallAfter: 0 } });
    expect(await sendUntilStored(framing)).toEqual({ status: 200, code: 'OUTCOME_UNKNOWN', retryable: false });
  });

  test.each<[string, Faults]>([
    ['fast', {}],
    ['slow', { request: { bytesPerSecond: 2_000_000 } }],
  ])('abandoned by its client is cut at a %s service too, and not stored', async (_case, faults) => {
    proxy.set(faults);
    const body = upload(content);
    const half = body.subarray(0, body.length / 2);
    const before = proxy.passed.request;
    const connection = new RawConnection(gateway.url);
    await connection.send(framing === 'length' ? head(body.length) : head('chunked'));
    await connection.send(framing === 'length' ? half : chunked(half));
    if (framing === 'length') await expect.poll(() => proxy.passed.request).toBeGreaterThan(before + 100_000);
    else await expect.poll(spoolFiles).toHaveLength(1);
    connection.close();

    // A file of unknown length is sent to the service once it is whole.
    if (framing === 'length') await expect.poll(() => proxy.open).toBe(0);
    expect(proxy.passed.request - before).toBeLessThan(half.length + 1_000);
    expect(stored()).toEqual([]);
  });
});

test.each<[string, Faults]>([
  ['stops in the middle', { answer: { stallAfter: 250 } }],
  ['is cut off', { answer: { endAfter: 250 } }],
  ['is broken off', { answer: { resetAfter: 250 } }],
])('an upload whose answer %s is OUTCOME_UNKNOWN, and may be stored', async (_case, faults) => {
  proxy.set(faults);
  expect(await sendUntilStored('length')).toEqual({ status: 200, code: 'OUTCOME_UNKNOWN', retryable: false });
});

test('an upload to a closed port is UPSTREAM_UNAVAILABLE', async () => {
  await using alone = await startGateway({ upstreamUrl: 'http://127.0.0.1:1/v1' });
  for (const framing of framings) {
    const answer = await send(upload(content), framing, alone.url);
    expect(answer).toEqual({ status: 200, code: 'UPSTREAM_UNAVAILABLE', retryable: true });
  }
});

test("an upload that the service refuses midway carries the service's code", async () => {
  let manner: 'reads on' | 'reads on, and closes' | 'closes at once';
  const service = createServer((socket) => {
    socket.on('error', () => {});
    const answer = httpAnswer(413, '{"detail":"Request too large."}');
    socket.on('data', (chunk) => {
      // Each request gets an answer. The next one may come on the same connection.
      if (!chunk.includes(' HTTP/1.1\r\n')) return;
      if (manner === 'reads on') socket.write(answer);
      else if (manner === 'reads on, and closes') socket.end(answer);
      else socket.write(answer, () => socket.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  await using refused = await startGateway({ upstreamUrl: `http://127.0.0.1:${port}/v1` });
  const codeFrom = async (how: typeof manner) => {
    manner = how;
    return (await send(upload(content), 'length', refused.url)).code;
  };
  expect(await codeFrom('reads on')).toBe('PAYLOAD_TOO_LARGE');
  expect(await codeFrom('reads on, and closes')).toBe('PAYLOAD_TOO_LARGE');
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  for (let time = 0; time < 20; time++) expect(await codeFrom('closes at once')).toBe('PAYLOAD_TOO_LARGE');
  process.off('warning', note);
  expect(warnings).toEqual([]);
  service.close();
});

describe('a file above limits.uploads.fileBytes', () => {
  test.each(framings)('is refused before a call if its size is known (%s)', async (framing) => {
    const before = proxy.passed.request;
    const answer = await send(upload(pdf(maxBytes + 100)), framing);
    expect(answer).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE', retryable: false });
    expect(proxy.passed.request).toBe(before);
  });

  // The last two bytes of the form stand where a client may send a line break.
  test('is never sent whole if only its end shows the size', async () => {
    const body = form([...operationOf(payment), file(pdf(maxBytes + 2))], '');
    expect(await send(body, 'length')).toMatchObject({ status: 200, code: 'PAYLOAD_TOO_LARGE' });
    await expect.poll(() => proxy.open).toBe(0);
    expect(stored()).toEqual([]);
  });
});

// The connection stays open, and all bytes that the request declares are there.
describe.each(framings)('a form without its closing boundary (%s)', (framing) => {
  test.each([
    ['in one piece', 4],
    ['in many pieces', 1_500_000],
  ])('is refused as malformed, with its file %s', async (_case, bytes) => {
    const closing = '\r\n--b0undary--\r\n';
    for (const cut of [3, 4, closing.length - 2, closing.length]) {
      for (const headers of [undefined, { 'Idempotency-Key': `${framing} ${bytes} ${cut}` }]) {
        const body = upload(pdf(bytes)).subarray(0, -cut);
        const answer = await sendRaw(gateway.url, request(body, framing, headers));
        expect(extensionsOf(answer)).toMatchObject({ code: 'BAD_REQUEST', retryable: false });
        expect(answer?.body).toContain('The form is cut off or malformed.');
      }
    }
    await expect.poll(() => proxy.open).toBe(0);
    expect(stored()).toEqual([]);
  });
});

test.each([
  ['shorter', -1_000],
  ['longer', 1_000],
])('a request that declares to be %s than it is is never sent whole', async (_case, difference) => {
  const body = upload(content);
  const connection = new RawConnection(gateway.url);
  await connection.send(head(body.length + difference));
  await connection.send(body);
  connection.socket.end();
  await connection.answer();
  connection.close();
  await expect.poll(() => proxy.open).toBe(0);
  expect(stored()).toEqual([]);
});
