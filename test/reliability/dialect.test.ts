import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { codeOf } from '../support/client.ts';
import { startFakedGateway } from '../support/harness.ts';
import { type Json, lastBody } from '../support/rest.ts';
import { scrape } from '../support/scrape.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialect-'));
afterAll(() => rmSync(folder, { recursive: true }));

const services = [
  { dialect: 'spec', key: 'demo-coop', time: '2026-03-01T08:15:30Z' },
  { dialect: 'connect', key: 'Bearer demo-coop', time: '1772352930' },
] as const;
const probe = 'GET /catalogs/currencies/?limit=1&offset=0';
const farmer = 'POST /supply-chains/farmers/';
const auto = { UPSTREAM_DIALECT: 'auto' };
const createFarmer = `mutation { createFarmer(input: {
  first_name: "A", country: "Ghana", province: "Ashanti", created_on: "2026-03-01T08:15:30Z"
}) { first_name } }`;
/** A write that has a guard. */
const createCompany = 'mutation { createCompany(input: { name: "A" }) { name } }';
const transactions = '{ productTransactions(limit: 1) { count results { id } } }';

/** A gateway over a service of a dialect, whose setting leaves it open unless given. */
async function start(dialect: 'spec' | 'connect', settings: Record<string, string> = auto) {
  const lines: Json[] = [];
  const log = (line: string) => void lines.push(JSON.parse(line));
  const gateway = await startFakedGateway(
    { LOG_LEVEL: 'info', ...settings },
    { sandbox: { dialect }, log, serviceName: 'one' },
  );
  const { key } = services.find((service) => service.dialect === dialect)!;
  const run = (document: string, options: object = {}) => gateway.query(document, {}, { key, ...options });
  const shown = async () => (await scrape(gateway.url, 'gateway_upstream_dialect')).map(({ labels }) => labels);
  return { ...gateway, key, run, lines, shown };
}

describe.each(services)('a gateway that finds out the dialect $dialect', ({ dialect, time }) => {
  test('asks once before the first write, and sends date-times in its form', async () => {
    await using gateway = await start(dialect);

    const { data, calls, extensions } = await gateway.run(createFarmer, { headers: { 'x-trace-upstream': 'true' } });
    expect(data).toEqual({ createFarmer: { first_name: 'A' } });
    expect(calls).toEqual([probe, farmer]);
    expect(String((lastBody(gateway.sandbox) as Json).created_on).slice(0, 10)).toBe(time.slice(0, 10));
    expect((extensions as Json).upstream.calls[0]).toMatchObject({ reason: 'dialect', fields: ['createFarmer'] });

    expect((await gateway.run(createCompany)).calls).toEqual(['POST /supply-chains/companies/']);
    expect(gateway.lines).toContainEqual(expect.objectContaining({ level: 30, dialect }));
    expect(await gateway.shown()).toEqual([{ configured: 'auto', used: dialect, seen: dialect }]);
  });

  test('needs no call where a read has shown it', async () => {
    await using gateway = await start(dialect);
    await gateway.run('{ farmers(limit: 1) { count } }');
    expect((await gateway.run(createFarmer)).calls).toEqual([farmer]);
  });

  test('asks once for writes of several clients', async () => {
    await using gateway = await start(dialect);
    gateway.upstream.hold('reads');
    const writes = Array.from({ length: 5 }, () => gateway.post(createCompany, { key: gateway.key }));
    const other = gateway.post(createCompany, { key: gateway.key.replace('coop', 'buyer') });
    await gateway.upstream.untilArrived(1);
    gateway.upstream.release();
    for (const answer of await Promise.all([...writes, other])) expect((await answer.json()).errors).toBeUndefined();
    expect(gateway.upstream.calls.filter((call) => call.startsWith('GET'))).toEqual([probe]);
    expect(gateway.upstream.calls).toHaveLength(7);
  });

  test('asks before the first read of product transactions, so that no later page is of another list', async () => {
    await using gateway = await start(dialect);
    const list = `GET /transactions/product-transactions/?${dialect === 'connect' ? 'filter_by=all&' : ''}limit=1&offset=0`;
    expect((await gateway.run(transactions)).calls).toEqual([probe, list]);
    expect((await gateway.run(transactions)).calls).toEqual([list]);
  });
});

describe('a gateway that cannot find out the dialect', () => {
  const html = { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Server Error (500)</h1>' };
  const currencies = '/catalogs/currencies/';

  test.each([
    ['fails', html, 'UPSTREAM_ERROR', {}],
    ['breaks off', { breaks: true }, 'UPSTREAM_UNAVAILABLE', {}],
    ['gives no answer', { stalls: true }, 'UPSTREAM_TIMEOUT', { 'upstream.timeouts.readMs': '200' }],
    ['refuses the key without an envelope', { status: 401, body: '{"detail":"No."}' }, 'UNAUTHENTICATED', {}],
    ['answers something else', { body: '{"status":"ok"}' }, 'UPSTREAM_INVALID_RESPONSE', {}],
  ] as const)('sends nothing where the read for it %s', async (_how, fault, code, settings) => {
    await using gateway = await start('connect', { ...auto, ...settings });
    gateway.upstream.fail(currencies, fault);
    for (const document of [createFarmer, createCompany, transactions]) {
      gateway.upstream.clear();
      const answer = await gateway.run(document);
      expect(codeOf(answer)).toBe(code);
      expect(answer.errors[0]?.message).toContain('UPSTREAM_DIALECT');
      expect(gateway.upstream.calls).toEqual([probe]);
    }
  });

  test('answers a repeated write from its record', async () => {
    const settings = { ...auto, IDEMPOTENCY_FILE: join(folder, 'records.db') };
    const headers = { 'idempotency-key': 'order-1' };
    const first = await start('connect', settings);
    const { data } = await first.run(createFarmer, { headers });
    await first.close();
    await using gateway = await start('connect', settings);
    gateway.upstream.fail(currencies, html);
    expect((await gateway.run(createFarmer, { headers })).data).toEqual(data);
    expect(codeOf(await gateway.run(createFarmer))).toBe('UPSTREAM_ERROR');
    expect(gateway.upstream.calls).toEqual([probe, probe]);
  });

  test('reads once for all fields of a mutation', async () => {
    await using gateway = await start('connect');
    gateway.upstream.fail(currencies, html);
    const { errors } = await gateway.run(createFarmer.replace('{', '{ a: createPremium(input: { name: "A" }) { id }'));
    expect(errors.map(({ path }) => path)).toEqual([['a'], ['createFarmer']]);
    expect(gateway.upstream.calls).toEqual([probe]);
  });

  test('asks again for the next write', async () => {
    await using gateway = await start('connect');
    gateway.upstream.fail(currencies, { ...html, times: 1 });
    expect(codeOf(await gateway.run(createFarmer))).toBe('UPSTREAM_ERROR');
    expect((await gateway.run(createFarmer)).errors).toEqual([]);
  });

  test('lets the writes of others find it where its own read is refused', async () => {
    await using gateway = await start('spec');
    gateway.upstream.hold('reads');
    const refused = gateway.ask(createCompany, { key: 'nobody' });
    await gateway.upstream.untilArrived(1);
    const accepted = gateway.ask(createCompany, { key: gateway.key });
    gateway.upstream.release();
    expect(codeOf((await refused).body)).toBe('UNAUTHENTICATED');
    expect((await accepted).body.errors).toBeUndefined();
  });

  test('takes the envelope of a refusal for an answer', async () => {
    await using gateway = await start('connect');
    const { calls } = await gateway.run('mutation { createPremium(input: { name: "A" }) { id } }', { key: 'nobody' });
    expect(calls).toEqual([probe, 'POST /catalogs/premiums/']);
    expect((await gateway.run(createCompany)).calls).toEqual(['POST /supply-chains/companies/']);
  });
});

describe('a gateway with the wrong UPSTREAM_DIALECT', () => {
  const warnings = (lines: Json[]) => lines.filter(({ level }) => level === 40);

  test.each([
    { configured: 'spec', seen: 'connect', code: 'UPSTREAM_INVALID_RESPONSE' },
    { configured: 'connect', seen: 'spec', code: 'BAD_USER_INPUT' },
  ] as const)('says that it is $configured and should be $seen', async ({ configured, seen, code }) => {
    await using gateway = await start(seen, { UPSTREAM_DIALECT: configured });
    for (let reads = 0; reads < 3; reads += 1) await gateway.run('{ farmers(limit: 1) { count } products { count } }');
    expect(warnings(gateway.lines)).toEqual([
      expect.objectContaining({ configured, used: configured, seen, msg: expect.stringContaining('UPSTREAM_DIALECT') }),
    ]);
    expect(await gateway.shown()).toEqual([{ configured, used: configured, seen }]);

    const { errors } = await gateway.run(createFarmer);
    expect(codeOf({ errors })).toBe(code);
    expect(errors[0]?.message).toContain(`UPSTREAM_DIALECT=${seen}`);
  });

  test('names it where it refuses an input that the service may take', async () => {
    await using gateway = await start('spec', { UPSTREAM_DIALECT: 'connect' });
    await gateway.run('{ farmers(limit: 1) { count } }');
    const { errors, calls } = await gateway.run(
      'mutation { updateCompany(id: "A", input: { currency: "EUR" }) { id } }',
    );
    expect(calls).toEqual([]);
    expect(errors[0]?.message).toContain('set UPSTREAM_DIALECT=spec');
  });

  test('stays with the first answer for a service without envelopes, and says so', async () => {
    await using gateway = await start('spec');
    const edit = ({ results }: Json) => {
      for (const row of results) row.created_on = '1772352930';
    };
    gateway.upstream.fail('/supply-chains/farmers/', { edit });
    await gateway.run('{ currencies(limit: 1) { count } }');
    await gateway.run('{ farmers(limit: 1) { count } }');
    expect(await gateway.shown()).toEqual([{ configured: 'auto', used: 'spec', seen: 'connect' }]);
    expect(warnings(gateway.lines)).toHaveLength(1);
  });
});
