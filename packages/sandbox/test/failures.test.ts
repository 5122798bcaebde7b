import { afterEach, describe, expect, test } from 'vitest';
import { startGateway } from '../../../test/support/harness.ts';
import type { Failure } from '../framework/options.ts';
import { clientOf, disposableSandbox, first, second } from './client.ts';

const farmers = '/supply-chains/farmers/';
const sandbox = await disposableSandbox();
const { get, post } = clientOf(sandbox);
afterEach(() => sandbox.reset());

describe('a failure', () => {
  test('meets the endpoint that it names, until it is undone', async () => {
    const undo = sandbox.fail('listFarmers', 503);
    const { status, headers, body } = await get(farmers);
    expect([status, headers.get('retry-after'), body]).toEqual([503, '1', { detail: 'Failed on demand.' }]);
    expect((await get(`${farmers}J7VY4SD9HV/`)).status).toBe(404);
    expect((await post(farmers, { first_name: 'Ama' })).status).toBe(201);
    undo();
    expect((await get(farmers)).body.count).toBe(241);
  });

  test('meets as many calls as `times` says, and the newest one that fits goes first', async () => {
    sandbox.fail('listFarmers', 500);
    sandbox.fail('listFarmers', 429, { times: 2, retryAfter: 7 });
    const answers = [await get(farmers), await get(farmers), await get(farmers)];
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 500]);
    expect(answers[0]?.headers.get('retry-after')).toBe('7');
  });

  test('meets only calls with the id, the parameters and the part of the body in `when`', async () => {
    sandbox.fail('getUser', 404, { when: { id: second } });
    sandbox.fail('listFarmers', 503, { when: { query: { offset: '10' } } });
    const errors = { address: { city: ['Too far.'] } };
    sandbox.fail('createFarmer', 400, { when: { body: { first_name: 'Kofi' } }, body: errors });
    const statuses = [
      await get(`/accounts/users/${first}/`),
      await get(`/accounts/users/${second}/`),
      await get(farmers),
      await get(`${farmers}?offset=10`),
      await post(farmers, { first_name: 'Ama' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 404, 200, 503, 201]);
    expect((await post(farmers, { first_name: 'Kofi', city: 'Kumasi' })).body).toEqual(errors);
  });

  test.each([
    ['disconnect', 240],
    ['lost-answer', 241],
  ] as const)('%s of a write ends the connection without an answer; %i farmers are there then', async (kind, count) => {
    const undo = sandbox.fail('createFarmer', kind);
    await expect(post(farmers, { first_name: 'Ama' })).rejects.toThrow('fetch failed');
    undo();
    expect((await get(farmers)).body.count).toBe(count);
  });

  test('cut-answer ends the connection within the body', async () => {
    sandbox.fail('listFarmers', 'cut-answer');
    const response = await fetch(sandbox.url + farmers, { headers: { authorization: 'demo-coop' } });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  test('html answers a page, wrong-type the right answer as text', async () => {
    sandbox.fail('listFarmers', 'html');
    sandbox.fail('listProducts', 'wrong-type');
    const page = await get(farmers);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const products = await get('/catalogs/products/');
    expect(products.headers.get('content-type')).toBe('text/plain');
    expect(JSON.parse(products.text)).toMatchObject({ count: 12 });
  });

  test('has the envelope of the dialect', async () => {
    const connect = await disposableSandbox({ dialect: 'connect' });
    connect.fail('createFarmer', 400, { body: { first_name: ['Too short.'] } });
    const { body } = await clientOf(connect).post(farmers, { first_name: 'A' });
    expect(body).toMatchObject({ success: false, message: { first_name: ['Too short.'] }, code: 400 });
  });

  test('is refused with the names that there are', () => {
    const names =
      /^fail\('listFarmer', 503\): there is no endpoint listFarmer\. The endpoints are createCompany, .*, uploadInvoice\.$/;
    expect(() => sandbox.fail('listFarmer', 503)).toThrow(names);
    expect(() => sandbox.fail('listFarmers', 200)).toThrow(
      'fail: 200 is no status from 400 to 599, and none of disconnect, lost-answer, cut-answer, html, wrong-type.',
    );
    expect(() => sandbox.fail('listFarmers', 503, { times: 0 })).toThrow('times must be a whole number from 1 on');
  });

  test('that met no call can be found, with the reason', async () => {
    sandbox.fail('listFarmers', 503);
    sandbox.fail('getUser', 404, { when: { id: second } });
    sandbox.delay('listProducts', 1);
    await get(`/accounts/users/${first}/`);
    await get('/catalogs/products/');
    expect(sandbox.unmet()).toEqual([
      "fail('listFarmers', 503) met no call: nothing called listFarmers.",
      `fail('getUser', 404, {"when":{"id":"${second}"}}) met no call: its \`when\` fits none of the 1 calls to getUser.`,
    ]);
    sandbox.reset();
    expect(sandbox.unmet()).toEqual([]);
  });
});

test('a delay without an end holds the answer, not the work, until it is undone', async () => {
  const undo = sandbox.delay('createFarmer', Number.POSITIVE_INFINITY);
  const answer = post(farmers, { first_name: 'Held' });
  await expect.poll(() => sandbox.calls().map(({ status }) => status)).toEqual([201]);
  expect((await get(`${farmers}?first_name=held`)).body.count).toBe(1);
  undo();
  expect((await answer).status).toBe(201);
});

test('each failure reaches the client of a gateway as an error with a code', async () => {
  await using gateway = await startGateway();
  const list = '{ farmers(limit: 1) { count } }';
  const create = 'mutation { createFarmer(input: { first_name: "Ama" }) { id } }';
  const codeFor = async (endpoint: string, failure: Failure, document = list) => {
    const undo = gateway.sandbox.fail(endpoint, failure);
    const { errors } = await gateway.query(document);
    undo();
    return (errors[0]?.extensions.code ?? 'no error') as string;
  };
  const failures = [401, 403, 500, 503, 'disconnect', 'cut-answer', 'html', 'wrong-type'] as const;
  const codes: Record<string, string> = {};
  for (const failure of failures) codes[failure] = await codeFor('listFarmers', failure);
  codes['lost write'] = await codeFor('createFarmer', 'lost-answer', create);
  codes['cut write'] = await codeFor('createFarmer', 'cut-answer', create);
  // Afterwards the gateway holds all calls of this caller back.
  codes[429] = await codeFor('listFarmers', 429);
  expect(codes).toEqual({
    401: 'UNAUTHENTICATED',
    403: 'FORBIDDEN',
    500: 'UPSTREAM_ERROR',
    503: 'UPSTREAM_UNAVAILABLE',
    disconnect: 'UPSTREAM_UNAVAILABLE',
    'cut-answer': 'UPSTREAM_UNAVAILABLE',
    html: 'UPSTREAM_INVALID_RESPONSE',
    // The gateway reads JSON by whatever name.
    'wrong-type': 'no error',
    'lost write': 'OUTCOME_UNKNOWN',
    'cut write': 'OUTCOME_UNKNOWN',
    429: 'RATE_LIMITED',
  });
});
