import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../test/support/redis-server.ts';
import { openStore } from '../idempotency/open-store.ts';
import type { RecordStore, Write } from '../idempotency/record-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-'));
afterAll(() => rmSync(folder, { recursive: true }));

const outcome = '{"answer":{"id":"A"}}';
/** A token is the shortest text of its lease. */
const lease = () => randomUUID();
const write = (changes: Partial<Write> = {}): Write => ({
  key: randomUUID(),
  field: 'createFarmer',
  request: 'a request',
  caller: randomUUID(),
  ...changes,
});

describe.each(['file', 'memory', 'Redis'].filter((name) => name !== 'Redis' || hasRedis))('records in %s', (kind) => {
  let redis: RedisServer | undefined;
  let store: RecordStore;
  const limits = { ttlMs: 60_000, writes: 4, writesPerCaller: 2 };
  let file: string;

  beforeAll(async () => {
    redis = kind === 'Redis' ? await startRedis() : undefined;
  });
  beforeEach(async () => {
    await redis?.empty();
    file = kind === 'memory' ? ':memory:' : join(folder, randomUUID());
    store = await openAgain();
  });
  afterEach(() => store.close());
  afterAll(() => redis?.close());

  async function openAgain(): Promise<RecordStore> {
    const { Redis } = await import('../redis/connection.ts');
    const connection = redis && (await Redis.open({ url: redis.url, timeoutMs: 30_000 }, pino({ level: 'silent' })));
    const opened = await openStore({ file, ...limits }, connection);
    const close = async () => {
      await opened.close();
      connection?.close();
    };
    return { ...opened, close };
  }

  test('grant a write to the first of many claims', async () => {
    const one = write();
    const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim(one, lease())));

    expect(claims.map(({ is }) => is)).toEqual(['granted', ...Array(19).fill('found')]);
  });

  test('have the lease of a write, then its outcome', async () => {
    const [one, first] = [write(), lease()];
    await store.claim(one, first);
    expect(await store.claim(one, lease())).toEqual({ is: 'found', text: first });
    await store.set(one, `${first} later`, first);
    expect(await store.claim(one, lease())).toEqual({ is: 'found', text: `${first} later` });
    await store.set(one, outcome);
    expect(await store.claim(one, lease())).toEqual({ is: 'found', text: outcome });
  });

  test('keep an outcome when a renewal of the lease comes late', async () => {
    const [one, first] = [write(), lease()];
    await store.claim(one, first);
    await store.set(one, outcome);
    await store.set(one, first, first);
    await store.remove(one, first);

    expect(await store.claim(one, lease())).toEqual({ is: 'found', text: outcome });
  });

  test('keep the lease of a later claim when an earlier claim is taken back late', async () => {
    const [one, first, second] = [write(), lease(), lease()];
    await store.claim(one, first);
    await store.remove(one, first);
    await store.claim(one, second);
    await store.remove(one, first);
    await store.set(one, first, first);

    expect(await store.claim(one, lease())).toEqual({ is: 'found', text: second });
  });

  test('tie a key to one request, until its last lease is removed', async () => {
    const [one, first, second] = [write(), lease(), lease()];
    const [sibling, other] = [
      { ...one, field: 'createCompany' },
      { ...one, request: 'another request' },
    ];
    await store.claim(one, first);
    await store.claim(sibling, second);
    await store.remove(one, first);
    expect(await store.claim(other, lease())).toEqual({ is: 'of another request' });
    await store.remove(sibling, second);
    expect(await store.claim(other, lease())).toEqual({ is: 'granted' });
  });

  test('are bounded for each caller and in all', async () => {
    const [ours, theirs] = [randomUUID(), randomUUID()];
    const [one, first] = [write({ caller: ours }), lease()];
    const claim = (caller: string) => store.claim(write({ caller }), lease());
    await store.claim(one, first);
    await claim(ours);
    expect(await claim(ours)).toEqual({ is: 'refused', setting: 'writesPerCaller' });
    await claim(theirs);
    await claim(theirs);
    expect(await claim(randomUUID())).toEqual({ is: 'refused', setting: 'writes' });
    await store.remove(one, first);
    await store.remove(one, first);
    expect(await claim(randomUUID())).toEqual({ is: 'granted' });
    expect(await claim(randomUUID())).toEqual({ is: 'refused', setting: 'writes' });
  });

  test('make room for others when they expire', async () => {
    const caller = randomUUID();
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
    for (const each of [write({ caller }), write({ caller })]) await store.claim(each, lease());
    const before = await store.claim(write({ caller }), lease());
    clock.mockReturnValue(now + 2 * limits.ttlMs);
    const after = await store.claim(write({ caller }), lease());
    vi.restoreAllMocks();

    expect([before.is, after.is]).toEqual(['refused', 'granted']);
  });

  test.runIf(kind !== 'memory')('are shared by processes, with their bounds', async () => {
    const [one, caller] = [write(), randomUUID()];
    const other = await openAgain();
    await store.claim(one, lease());
    await store.set(one, outcome);
    await store.claim(write({ caller }), lease());
    await other.claim(write({ caller }), lease());
    const refused = await store.claim(write({ caller }), lease());
    const found = await other.claim(one, lease());
    await other.close();

    expect(refused).toEqual({ is: 'refused', setting: 'writesPerCaller' });
    expect(found).toEqual({ is: 'found', text: outcome });
  });
});

test('records in a file survive the end of the thread that writes the file', async () => {
  const threads: Worker[] = [];
  const note = (message: unknown) => threads.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', note);
  const limits = { ttlMs: 60_000, writes: 4, writesPerCaller: 2 };
  const store = await openStore({ file: join(folder, randomUUID()), ...limits }, undefined);
  const one = write();
  await store.claim(one, lease());
  await store.set(one, outcome);
  await threads[0]?.terminate();
  const again = await store.claim(one, lease());
  await store.close();
  unsubscribe('worker_threads', note);

  expect(again).toEqual({ is: 'found', text: outcome });
});

test('records in a file that is closed start no thread for later steps', async () => {
  const limits = { ttlMs: 60_000, writes: 4, writesPerCaller: 2 };
  const store = await openStore({ file: join(folder, randomUUID()), ...limits }, undefined);
  await store.ping();
  await store.close();

  await expect(store.ping()).rejects.toThrow('closed');
});

test('a file has no row of a caller whose last record is removed, also where an earlier release left one', async () => {
  const file = join(folder, randomUUID());
  const limits = { ttlMs: 60_000, writes: 100, writesPerCaller: 2 };
  const open = () => openStore({ file, ...limits }, undefined);
  const reader = () => {
    const database = new DatabaseSync(file);
    const { count } = database.prepare("SELECT count(*) AS count FROM caller WHERE id <> ''").get() as {
      count: number;
    };
    database.close();
    return count;
  };
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  const store = await open();
  // Made-up keys: the service refuses each, and its claim is taken back.
  for (let count = 0; count < 20; count += 1) {
    const [one, first] = [write(), lease()];
    await store.claim(one, first);
    await store.remove(one, first);
  }
  const afterRefusals = reader();
  await store.claim(write(), lease());
  const withOne = reader();
  // Expired records go with the next claim.
  clock.mockReturnValue(now + 2 * limits.ttlMs);
  await store.claim(write(), lease());
  const afterExpiry = reader();
  vi.restoreAllMocks();
  await store.close();
  const database = new DatabaseSync(file);
  database.exec("INSERT INTO caller (id, writes) VALUES ('of an earlier release', 0)");
  database.close();
  await (await open()).close();

  expect([afterRefusals, withOne, afterExpiry, reader()]).toEqual([0, 1, 1, 1]);
});
