import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { clientOf } from '../../../test/support/client.ts';
import { startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import { printed, run } from '../../../test/support/own-process.ts';
import { paths } from '../../../test/support/rest-reads.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { createFarmer, onlyIds, purchaseOfNewFarmer, pushDocument } from './push.ts';

test('a push goes on after kill -9 of the gateway between its writes, and makes none twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'push-kill-'));
  const IDEMPOTENCY_FILE = join(folder, 'keys.db');
  const sandbox = await startSandbox();
  await using upstream = await startFakeUpstream({ target: sandbox.url });
  const start = async () => {
    const running = run({ UPSTREAM_URL: upstream.url, IDEMPOTENCY_FILE });
    return { ...running, url: await printed(running, /GraphQL and GraphiQL +(\S+)/) };
  };
  const key = randomUUID();
  const writes = [...purchaseOfNewFarmer(key), createFarmer(`${key}-2`)];
  const send = (url: string) => clientOf(url).post({ query: pushDocument(onlyIds), variables: { writes } });

  const first = await start();
  upstream.respond = async (request) => {
    if (request.path !== paths.productTransactions) return undefined;
    const { method, body, headers } = request;
    const { authorization = '', 'content-type': type = '' } = headers;
    // The service stores the write, and the gateway never learns of it.
    await fetch(sandbox.url + request.path, { method, body, headers: { authorization, 'content-type': type } });
    first.child.kill('SIGKILL');
    return { breaks: true };
  };
  await expect(send(first.url)).rejects.toThrow();
  await first.exit;
  const sentBefore = upstream.calls.filter((call) => call.startsWith('POST'));
  expireLeases(IDEMPOTENCY_FILE);
  upstream.respond = undefined;
  upstream.clear();
  const second = await start();
  const { data } = await (await send(second.url)).json();
  second.child.kill('SIGKILL');
  await second.exit;
  await sandbox.close();
  rmSync(folder, { recursive: true });

  const [farmer, card, purchase, payment, other] = data.push;
  expect([farmer, card, purchase, payment].map(({ status }) => status)).toEqual([
    'REPLAYED',
    'REPLAYED',
    'UNKNOWN',
    'NOT_TRIED',
  ]);
  expect(purchase.error).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: false });
  // The other chain runs beside the first.
  const isMadeBefore = sentBefore.length === 4;
  expect(other.status).toMatch(isMadeBefore ? /REPLAYED|UNKNOWN/ : /DONE/);
  const sentAgain = upstream.calls.filter((call) => call.startsWith('POST'));
  expect(sentAgain).toEqual(isMadeBefore ? [] : [`POST ${paths.farmers}`]);
});

/** Ends the leases of a process that was killed, for which a request would wait ten seconds. */
function expireLeases(file: string): void {
  const database = new DatabaseSync(file);
  const { changes } = database
    .prepare("UPDATE write SET text = substr(text, 1, instr(text, ' ')) || '0' WHERE text NOT LIKE '{%'")
    .run();
  database.close();
  expect(Number(changes)).toBeGreaterThan(0);
}
