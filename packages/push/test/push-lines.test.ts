import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { RawConnection } from '../../../test/support/raw-http.ts';
import { scrape, valuesOf } from '../../../test/support/scrape.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever their lines ask for
type Value = any;

const jsonl = { 'content-type': 'application/jsonl' };
const farmer = (name: string, key = name, ref?: string) => ({
  key,
  ...(ref && { ref }),
  write: { createFarmer: { first_name: name } },
});
const cardOf = (ref: string, number: string) => ({
  key: `card ${number}`,
  write: { createEntityCard: { entity: `$${ref}`, card: { card_id: number } } },
});
const farmers = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => farmer(`${prefix}${at}`));
const fileOf = (lines: readonly (object | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

const post = (gateway: Gateway, body: string, headers: Record<string, string> = {}, key: string | null = 'demo-coop') =>
  gateway.send({ path: '/push', key, headers: { ...jsonl, ...headers }, body });

/** The lines about writes, and the last line. */
async function push(gateway: Gateway, lines: readonly (object | string)[]) {
  const answer = await post(gateway, fileOf(lines));
  expect(answer.status).toBe(200);
  const values: Value[] = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { results: values.filter(({ line }) => line), end: values.at(-1).$end };
}

const counted = (counts: object) => ({ DONE: 0, REPLAYED: 0, REFUSED: 0, UNKNOWN: 0, NOT_TRIED: 0, ...counts });

describe('lines of writes', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const writesIn = () => gateway.sandbox.calls().filter(({ method }) => method === 'POST').length;

  test('are made once each, and have their results in the same order', async () => {
    const lines = farmers(250, 'a');
    gateway.sandbox.clearCalls();
    const { results, end } = await push(gateway, lines);
    const inFlight = async () => valuesOf(await scrape(gateway.url), 'operations_in_flight');
    await expect.poll(inFlight).toEqual({ '': 0 });
    expect(results.map(({ line, key, status, type }) => [line, key, status, type])).toEqual(
      lines.map(({ key }, at) => [at + 1, key, 'DONE', 'Farmer']),
    );
    expect(end).toEqual({ lines: 250, ...counted({ DONE: 250 }), complete: true });
    expect(writesIn()).toBe(250);

    gateway.sandbox.clearCalls();
    const again = await push(gateway, lines);
    expect(again.end).toEqual({ lines: 250, ...counted({ REPLAYED: 250 }), complete: true });
    expect(again.results.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    expect(writesIn()).toBe(0);
  });

  test('that are wrong are refused each, and the others are made', async () => {
    const { results, end } = await push(gateway, [
      'no JSON',
      '[]',
      '',
      { key: 'b1', write: { createFarmer: {} } },
      { key: 'b2', write: { createFarmer: { first_name: '' } } },
      { key: '', write: { createFarmer: { first_name: 'B' } } },
      cardOf('nobody', '1'),
      farmer('b3'),
    ]);
    expect(results.map(({ key }) => key)).toEqual([undefined, undefined, 'b1', 'b2', undefined, 'card 1', 'b3']);
    expect(results.map(({ line, status, error }) => [line, status, error?.message])).toEqual([
      [1, 'REFUSED', 'The line is not JSON: Unexpected token \'o\', "no JSON" is not valid JSON'],
      [2, 'REFUSED', 'The line is not a JSON object.'],
      [4, 'REFUSED', 'Field "first_name" of required type "String!" was not provided.'],
      [5, 'REFUSED', 'The input breaks the bounds of the service: input.first_name.'],
      [6, 'REFUSED', 'Must be 1 to 255 printable characters.'],
      [7, 'REFUSED', 'No write of this push has the ref "$nobody".'],
      [8, 'DONE', undefined],
    ]);
    expect(end).toEqual({ lines: 7, ...counted({ DONE: 1, REFUSED: 6 }), complete: true });
  });

  test('that have several wrong fields name each with its place', async () => {
    const { results } = await push(gateway, [
      { key: 'c1', write: { createFarmer: { last_name: 5, shoe_size: 42 } } },
      { key: 'c2', write: { createFarmer: {} } },
    ]);
    const at = (field: string) => ['write', 'createFarmer', field];
    expect(
      results.map(({ error }) => [error.message, error.fields.map(({ path }: { path: string[] }) => path)]),
    ).toEqual([
      [
        'The line is not a write: write.createFarmer.first_name, write.createFarmer.last_name, write.createFarmer.shoe_size.',
        [at('first_name'), at('last_name'), at('shoe_size')],
      ],
      ['Field "first_name" of required type "String!" was not provided.', [at('first_name')]],
    ]);
  });

  test('that are cut or have half of a surrogate pair are refused with the reason', async () => {
    const { results } = await push(gateway, ['{"key": "o', '{"key": "\\ud800"}']);
    expect(results.map(({ error }) => error.message)).toEqual([
      'The line is not JSON: Unterminated string in JSON at position 10 (column 11)',
      'The line is not JSON: Half of a surrogate pair.',
    ]);
  });

  test('keep the digits of their numbers', async () => {
    const line =
      '{"key":"digits","write":{"createProductTransaction":{"amount":9007199254740993,"source":9007199254740995}}}';
    gateway.sandbox.clearCalls();
    await push(gateway, [line]);
    expect(gateway.sandbox.calls()).toMatchObject([
      { body: { amount: '9007199254740993', source: '9007199254740995' } },
    ]);
  });

  test('are named in errors by their numbers, whatever stands between them', async () => {
    const { results } = await push(gateway, ['', farmer('p1', 'p1', 'same'), 'no JSON', farmer('p2', 'p2', 'same')]);
    expect(results.at(-1).error.fields).toEqual([{ path: ['ref'], message: 'Another write has this ref: line 2.' }]);
  });

  test('that name an earlier line go with it, wherever they stand', async () => {
    const { results } = await push(gateway, [...farmers(99, 'c'), farmer('C', 'c', 'last'), cardOf('last', 'c-card')]);
    expect(results.slice(-2)).toMatchObject([
      { line: 100, status: 'DONE', ref: 'last', type: 'Farmer' },
      { line: 101, status: 'DONE', type: 'EntityCard' },
    ]);
  });

  test('that come once more under one key are replayed, or refused for another input', async () => {
    const { results } = await push(gateway, [farmer('d'), farmer('d'), farmer('another', 'd')]);
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
      ['DONE', undefined],
      ['REPLAYED', undefined],
      ['REFUSED', 'IDEMPOTENCY_CONFLICT'],
    ]);
  });

  test('go on after a cut under the same keys, and nothing is written twice', async () => {
    const lines = farmers(300, 'e');
    const count = async () => (await gateway.ask('{ farmers(limit: 1) { count } }')).body.data.farmers.count;
    const before = await count();
    const cut = new RawConnection(gateway.url);
    const begun = Buffer.from(fileOf(lines.slice(0, 220)));
    await cut.send(
      `POST /push HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\nContent-Type: application/jsonl\r\nAccept-Language: *\r\nContent-Length: 1000000\r\n\r\n${begun}`,
    );
    await expect.poll(count).toBeGreaterThan(before);
    cut.close();

    const { results, end } = await push(gateway, lines);
    expect(results.map(({ status }) => status).filter((status) => !/^(DONE|REPLAYED)$/.test(status))).toEqual([]);
    expect(end).toMatchObject({ lines: 300, complete: true });
    expect(end.REPLAYED).toBeGreaterThan(0);
    expect(await count()).toBe(before + 300);
  });

  test('have keys of their own for each caller', async () => {
    const lines = farmers(3, 'f');
    await push(gateway, lines);
    const answer = await post(gateway, fileOf(lines), {}, 'demo-buyer');
    expect(await answer.text()).toContain('"DONE":3,"REPLAYED":0');
  });

  test('in a form that the gateway does not take are refused before a call', async () => {
    gateway.sandbox.clearCalls();
    const body = fileOf(farmers(1, 'g'));
    const json = await post(gateway, body, { 'content-type': 'application/json' });
    expect([json.status, json.headers.get('accept-post')]).toEqual([415, expect.stringContaining('application/jsonl')]);
    expect(json.headers.get('accept-query')).toBeNull();
    expect((await post(gateway, body, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post(gateway, body, {}, null)).status).toBe(401);
    expect((await gateway.send({ method: 'GET', path: '/push' })).status).toBe(405);
    expect(gateway.sandbox.calls()).toEqual([]);
  });

  test('end at a line that is too long, and say so', async () => {
    const { results, end } = await push(gateway, [farmer('h'), farmer('x'.repeat(300_000)), farmer('i')]);
    expect(results).toMatchObject([{ line: 1, status: 'DONE' }]);
    expect(end).toMatchObject({ complete: false, error: { extensions: { code: 'PAYLOAD_TOO_LARGE' } } });
  });
});

test('a client that waits for 100 Continue is asked for its lines', async () => {
  await using gateway = await startGateway();
  const connection = new RawConnection(gateway.url);
  const body = fileOf(farmers(1, 'm'));
  await connection.send(
    `POST /push HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\nContent-Type: application/jsonl\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  expect((await connection.answer())?.status).toBe(100);
  await connection.send(body);
  expect((await connection.answer())?.status).toBe(200);
  connection.close();
});

test('where trusted documents are enforced, no lines are written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'enforced-'));
  const manifest = join(folder, 'documents.json');
  writeFileSync(manifest, JSON.stringify({ a: '{ serverTime }' }));
  await using gateway = await startGateway({
    settings: { TRUSTED_DOCUMENTS: manifest, TRUSTED_DOCUMENTS_MODE: 'enforce' },
  });
  const answer = await post(gateway, fileOf(farmers(1, 'n')));
  expect([answer.status, (await answer.json()).errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
  expect(gateway.sandbox.calls()).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('a push whose client leaves counts as left', async () => {
  await using gateway = await startFakedGateway();
  gateway.upstream.hold('writes');
  const leaving = new AbortController();
  const { signal } = leaving;
  const answer = gateway.send({ path: '/push', headers: jsonl, body: fileOf(farmers(2, 'left')), signal });
  await gateway.upstream.untilArrived(1);
  leaving.abort();
  await expect(answer.then((each) => each.text())).rejects.toThrow();
  gateway.upstream.release();

  await expect
    .poll(async () => valuesOf(await scrape(gateway.url), 'operations_total'))
    .toEqual({ 'mutation left': 1 });
});

describe('a service', () => {
  let gateway: FakedGateway;
  beforeAll(async () => {
    gateway = await startFakedGateway();
  });
  afterAll(() => gateway.close());

  test('that holds back later writes shows the earlier results at once, also in gzip', async () => {
    let writes = 0;
    gateway.upstream.respond = ({ method }) => {
      if (method === 'POST') writes += 1;
      return writes > 100 ? { stalls: true } : undefined;
    };
    const leaving = new AbortController();
    const answer = await fetch(new URL('/push', gateway.url), {
      method: 'POST',
      headers: { ...jsonl, authorization: 'demo-coop', 'accept-encoding': 'gzip' },
      body: fileOf(farmers(150, 'j')),
      signal: leaving.signal,
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    const rows = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('"$progress"')) text += (await rows.read()).value;
    expect(text.match(/"status":"DONE"/g)).toHaveLength(100);
    leaving.abort();
    gateway.upstream.respond = undefined;
  });

  test('that loses its answers ends the push early', async () => {
    gateway.upstream.respond = ({ method }) => (method === 'POST' ? { status: 503, body: '{}' } : undefined);
    const { results, end } = await push(gateway, farmers(250, 'l'));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['UNKNOWN']));
    expect(end).toMatchObject({ complete: false, error: { extensions: { code: 'OUTCOME_UNKNOWN' } } });
    expect(results).toHaveLength(100);
    gateway.upstream.respond = undefined;
  });

  test('that refuses the update of one line names it in the next update of the object', async () => {
    const { data } = await gateway.query('{ farmers(limit: 1) { results { buyer { id } } } }');
    const { id } = data.farmers.results[0].buyer;
    gateway.upstream.respond = ({ method }) => (method === 'PATCH' ? { status: 429, body: '{}' } : undefined);
    const update = (city: string) => ({ key: `u ${city}`, write: { updateCompany: { id, input: { city } } } });
    const { results } = await push(gateway, ['', farmer('u'), update('Tamale'), update('Kumasi')]);
    expect(results.at(-1).error.message).toBe('Needs line 3, which is NOT_TRIED: The service asks to slow down.');
    gateway.upstream.respond = undefined;
  });

  test('that takes no more ends the push with an error, and the same push goes on', async () => {
    gateway.upstream.respond = ({ method }) => (method === 'POST' ? { status: 429, body: '{}' } : undefined);
    const { results, end } = await push(gateway, farmers(3, 'k'));
    expect(results.map(({ status }) => status)).toEqual(['NOT_TRIED', 'NOT_TRIED', 'NOT_TRIED']);
    expect(end).toMatchObject({ complete: false, error: { extensions: { retryable: true } } });
    gateway.upstream.respond = undefined;
    expect((await push(gateway, farmers(3, 'k'))).end).toMatchObject({ DONE: 3, complete: true });
  });
});
