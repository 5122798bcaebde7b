import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Call } from '../framework/calls.ts';
import { readPace, realPace } from '../framework/pace.ts';
import { Workers } from '../framework/workers.ts';
import { clientOf, disposableSandbox, first, unknownId } from './client.ts';

const farmers = '/supply-chains/farmers/';
const farmer = `${farmers}{hashid}/` as const;
const currencies = '/catalogs/currencies/';

describe('a call', () => {
  const pace = { default: { callMs: 7 }, [`GET ${farmers}`]: { callMs: 100, rowMs: 10 } };
  const call = (template: string, rows?: number): Call => ({
    ...{ method: 'GET', path: template, template, endpoint: '', status: 200, headers: {} },
    ...(rows !== undefined && { rows }),
  });

  test('waits behind a longer one for the only worker', () => {
    const workers = new Workers({ ...pace, workers: 1 });
    expect(workers.answerAt(call(farmers, 3), 1_000)).toBe(1_130);
    expect(workers.answerAt(call(farmer), 1_001)).toBe(1_137);
  });

  test('passes a longer one where a second worker is free, and the third waits for the first to be done', () => {
    const workers = new Workers({ ...pace, workers: 2 });
    expect(workers.answerAt(call(farmers, 3), 1_000)).toBe(1_130);
    expect(workers.answerAt(call(farmer), 1_001)).toBe(1_008);
    expect(workers.answerAt(call(farmer), 1_002)).toBe(1_015);
  });

  test('finds four workers by default', () => {
    const workers = new Workers(pace);
    const answers = Array.from({ length: 5 }, () => workers.answerAt(call(farmer), 1_000));
    expect(answers).toEqual([1_007, 1_007, 1_007, 1_007, 1_014]);
  });

  test('takes longer for each other call in work, where the service gets slower under load', () => {
    const workers = new Workers({ ...pace, workers: 3, slowdown: 0.5 });
    expect(workers.answerAt(call(farmer), 1_000)).toBe(1_007);
    expect(workers.answerAt(call(farmer), 1_000)).toBe(1_010.5);
    expect(workers.answerAt(call(farmer), 1_000)).toBe(1_014);
    expect(workers.answerAt(call(farmer), 1_001)).toBe(1_021);
  });

  test('gets an idle worker at once', () => {
    const workers = new Workers({ ...pace, workers: 1 });
    expect(workers.answerAt(call(farmer), 1_000)).toBe(1_007);
    expect(workers.answerAt(call(farmer), 5_000)).toBe(5_007);
  });
});

describe('a sandbox with a pace', () => {
  test('takes time for each call, each row of its answer, and no row of a refusal', async () => {
    const pace = { default: { callMs: 3 }, [`GET ${farmers}`]: { callMs: 2, rowMs: 0.5 } };
    const sandbox = await disposableSandbox({ pace });
    const { get, post } = clientOf(sandbox);
    await get(`${farmers}?limit=7`);
    await get(`/supply-chains/companies/${first}/`);
    await get(`${farmers}${unknownId}/`);
    await clientOf(sandbox, 'nobody').get(`${farmers}?limit=7`);
    await post(farmers, { first_name: 'Esi' });
    expect(sandbox.calls().map(({ method, status, rows, workMs }) => [method, status, rows, workMs])).toEqual([
      ['GET', 200, 7, 5.5],
      ['GET', 200, undefined, 3],
      ['GET', 404, undefined, 3],
      ['GET', 401, undefined, 2],
      ['POST', 201, undefined, 3],
    ]);
  });

  test('answers other workers’ calls while one is under way, and takes another pace meanwhile', async () => {
    const endless = { callMs: 3_600_000 };
    const sandbox = await disposableSandbox({ pace: { [`GET ${farmers}`]: endless }, workers: 2 });
    const { get } = clientOf(sandbox);
    const controller = new AbortController();
    const waiting = fetch(sandbox.url + farmers, {
      signal: controller.signal,
      headers: { authorization: 'demo-coop' },
    });
    await expect.poll(() => sandbox.calls()[0]?.workMs).toBe(endless.callMs);
    expect((await get(currencies)).status).toBe(200);
    sandbox.setPace({ [`GET ${farmers}`]: { callMs: 1 } });
    expect((await get(farmers)).status).toBe(200);
    controller.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });

  test('says nothing of work without a pace', async () => {
    const sandbox = await disposableSandbox();
    await clientOf(sandbox).get(currencies);
    expect(sandbox.calls()[0]).not.toHaveProperty('workMs');
  });
});

describe('SANDBOX_PACE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-pace-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (text: string) => {
    const name = join(folder, 'pace.yaml');
    writeFileSync(name, text);
    return () => readPace(name);
  };

  test('is real, none, or a file', () => {
    expect(readPace('none')).toBeUndefined();
    expect(readPace('real')).toBe(realPace);
    expect(
      read(
        '{ "workers": 8, "default": { "callMs": 50 }, "GET /accounts/users/{hashid}/": { "callMs": 5, "rowMs": 1 } }',
      )(),
    ).toEqual({
      workers: 8,
      default: { callMs: 50 },
      'GET /accounts/users/{hashid}/': { callMs: 5, rowMs: 1 },
    });
    expect(() => readPace('reel')).toThrow(
      /^SANDBOX_PACE: reel is neither real nor none, and no file that can be read: /,
    );
  });

  test.each([
    ['workers: 0', 'workers must be a whole number from 1 on'],
    ['GET /supply-chains/farmer/: { callMs: 1 }', 'GET /supply-chains/farmer/ is no endpoint'],
    ['default: 50', 'default must be an object with callMs and rowMs'],
    ['default: { callMs: -1 }', 'default callMs must not be negative'],
    ['default: { callMs: 1, rowsMs: 2 }', 'default rowsMs is neither callMs nor rowMs'],
    ['default: { rowMs: 2 }', 'default callMs must be a number of milliseconds'],
    ['- 50', 'must be an object of endpoints'],
    ['worker: 1\ndefault: 50', 'default must be an object with callMs and rowMs; worker is no endpoint'],
  ])('%j stops the start with a sentence', (text, sentence) => {
    expect(read(text)).toThrow(`SANDBOX_PACE: ${join(folder, 'pace.yaml')} cannot be used: ${sentence}`);
  });

  test('names endpoints of the sandbox alone in the real figures', () => {
    expect(read(JSON.stringify(realPace))()).toEqual(realPace);
  });
});
