import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { SandboxSeed } from '../../packages/sandbox/index.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { paths } from '../support/rest-reads.ts';

const folder = join(import.meta.dirname, '../../examples/react/src/copy');
// The types of the example come from its own code generator, which does not run for this test.
const { sync, SyncError } = await import(join(folder, 'sync.ts'));

/** The documents of the example, by the name of the operation. */
const documents = Object.fromEntries(
  [...readFileSync(join(folder, 'service.ts'), 'utf8').matchAll(/graphql\(`\s*(query (\w+)[^`]+)`\)/g)].map(
    ([, document, name]) => [name, document],
  ),
) as Record<'TransactionChanges' | 'TransactionCount' | 'TransactionIds', string>;

// biome-ignore lint/suspicious/noExplicitAny: answers of the gateway
type Json = any;

const key = 'Bearer demo-coop';
const rows = (...ids: string[]) => ids.map((id) => ({ id, source: 'AMA', product: 'COCOA' }));
const seedOf = (...ids: string[]): SandboxSeed => ({
  farmers: [{ id: 'AMA' }],
  products: [{ id: 'COCOA' }],
  premiums: [{ id: 'BONUS', calculation_type: 'OPTIONS' }],
  productTransactions: rows(...ids),
});

/** A phone with a copy, before a service with these transactions. */
async function startPhone(kind: 'spec' | 'connect' | 'older connect', ...ids: string[]) {
  const dialect = kind === 'spec' ? 'spec' : 'connect';
  const olderFilters = kind === 'older connect';
  const gateway = await startGateway({ sandbox: { dialect, olderFilters, seed: seedOf(...ids) } });
  running = gateway;
  const calls: string[] = [];
  const ask = async (name: keyof typeof documents, variables: object) => {
    const answer = await gateway.query(documents[name], variables, { key });
    calls.push(...answer.calls.map((call) => call.replaceAll(/updated_after=[\d.]+/g, 'updated_after=…')));
    const failures = answer.errors.map(({ path = [], extensions }) => ({ ...extensions, path }));
    return { list: answer.data?.productTransactions, serverTime: answer.data?.serverTime, failures };
  };
  const service = {
    async changes({ deleted, ...asked }: { deleted: boolean }) {
      const { list, ...answer } = await ask('TransactionChanges', { ...asked, deleted: deleted || null });
      return { ...answer, ...(list && { rows: list.results }), next: list?.next ?? null };
    },
    async count() {
      const { list, failures } = await ask('TransactionCount', {});
      return { count: list?.count, failures };
    },
    async ids(after: string | null) {
      const { list, failures } = await ask('TransactionIds', { after });
      return { ids: (list?.results ?? []).map(({ id }: Json) => id), next: list?.next ?? null, failures };
    },
  };
  const stored = new Map<string, Json>();
  let progress: Json = { unseen: 0 };
  const copy = {
    progress: async () => progress,
    ids: async () => [...stored.keys()],
    async change({ put = [], remove = [], progress: next }: Json) {
      for (const row of put) stored.set(row.id, row);
      for (const id of remove) stored.delete(id);
      progress = next;
    },
  };
  return {
    gateway,
    stored: () => [...stored.keys()].toSorted(),
    progress: () => progress,
    /** The calls of the service. */
    async sync(): Promise<string[]> {
      calls.length = 0;
      await sync(service, copy);
      return calls;
    },
  };
}

let running: Gateway | undefined;
afterEach(() => running?.close());

const send = (gateway: Gateway, method: string, id = '', body?: object) =>
  fetch(`${gateway.sandbox.url}${paths.productTransactions}${id && `${id}/`}`, {
    method,
    headers: { authorization: key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const remove = async (gateway: Gateway, id: string) => expect((await send(gateway, 'DELETE', id)).status).toBe(200);

const purchase = { amount: '1', source: 'AMA', destination: 'J7VY4SD9HV', product: 'COCOA', currency: '5BND77JEZS' };

const changes = (filters: string) => `GET ${paths.productTransactions}?${filters}&limit=100&offset=0`;
const count = `GET ${paths.productTransactions}?limit=1&offset=0`;

describe('over a service that marks deleted rows', () => {
  test('the phone drops what is deleted, for one call', async () => {
    const phone = await startPhone('connect', 'P1', 'P2', 'P3');
    await phone.sync();
    expect(phone.stored()).toEqual(['P1', 'P2', 'P3']);
    await remove(phone.gateway, 'P2');

    // The first use of a filter shows whether the service has it.
    await phone.sync();
    expect(phone.stored()).toEqual(['P1', 'P3']);
    expect(await phone.sync()).toEqual([changes('filter_by=all&updated_after=…&reverse_sync=true')]);
  });
});

describe('over a service that does not mark deleted rows', () => {
  test('the phone drops what is deleted, after a look at all ids', async () => {
    const phone = await startPhone('spec', 'P1', 'P2', 'P3');
    expect(await phone.sync()).toEqual([changes('').replace('?&', '?'), count]);
    await remove(phone.gateway, 'P2');

    expect(await phone.sync()).toEqual([
      changes('updated_after=…'),
      count,
      `GET ${paths.productTransactions}?limit=100&offset=0`,
    ]);
    expect(phone.stored()).toEqual(['P1', 'P3']);
  });

  test('where nothing has changed, the sync costs two calls for a row each', async () => {
    const phone = await startPhone('spec', 'P1', 'P2', 'P3');
    await phone.sync();

    expect(await phone.sync()).toEqual([changes('updated_after=…'), count]);
  });

  test('a new row does not hide a deleted one', async () => {
    const phone = await startPhone('spec', 'P1', 'P2', 'P3');
    await phone.sync();
    await remove(phone.gateway, 'P3');
    const made = (await (await send(phone.gateway, 'POST', '', purchase)).json()) as Json;
    await phone.sync();

    expect(phone.stored()).toEqual(['P1', 'P2', made.id].toSorted());
  });

  test('while the service fails on a row, the phone takes the others, and drops nothing', async () => {
    const phone = await startPhone('older connect', 'P1', 'P2', 'P3');
    await phone.sync();
    await remove(phone.gateway, 'P2');
    await remove(phone.gateway, 'P3');
    // Each page with this row is 500 from then on.
    const payments = [{ premium: 'BONUS', selected_option: 'AAAAAAAAAA', amount: 1 }];
    await send(phone.gateway, 'POST', '', { ...purchase, transaction_payments: payments });
    await send(phone.gateway, 'POST', '', purchase);
    await phone.sync();
    expect(phone.stored()).toHaveLength(4);
    expect(phone.stored()).toEqual(expect.arrayContaining(['P1', 'P2', 'P3']));

    const again = await phone.sync();
    expect(again.filter((call) => !call.includes('updated_after'))).toEqual([count.replace('?', '?filter_by=all&')]);
  });

  test('a row that becomes visible without a change comes by a read from the start', async () => {
    const phone = await startPhone('spec', 'P1', 'P2');
    await phone.sync();
    // Rows of a seed are older than the last sync.
    phone.gateway.sandbox.reset(seedOf('P1', 'P2', 'P3', 'P4'));
    await phone.sync();

    expect(phone.stored()).toEqual(['P1', 'P2', 'P3', 'P4']);
    expect(await phone.sync()).toHaveLength(2);
  });
});

test('a sync that has stopped goes on after its last page', async () => {
  const phone = await startPhone('spec', ...Array.from({ length: 130 }, (_, n) => `P${n}`));
  const undo = phone.gateway.sandbox.fail('listProductTransactions', 503, { when: { query: { offset: '99' } } });
  await expect(phone.sync()).rejects.toThrow(SyncError);
  expect(phone.stored()).toHaveLength(100);
  expect(phone.progress()).toMatchObject({ begun: { deleted: false }, unseen: 0 });

  undo();
  const calls = await phone.sync();
  expect(calls.some((call) => call.includes('offset=0') && call.includes('limit=100'))).toBe(false);
  expect(phone.stored()).toHaveLength(130);
});
