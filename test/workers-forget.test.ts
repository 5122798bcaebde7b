import { afterEach, expect, test } from 'vitest';
import { type GatedGateway, startGatedGateway } from './gated-service.ts';
import { printed, type Running, run, serve } from './own-process.ts';
import type { RawConnection } from './raw-http.ts';
import { page, paths } from './rest-reads.ts';
import { ask, connect, twoWorkers, workers } from './worker-connections.ts';

const keeping = { ...twoWorkers, CATALOG_TTL_MS: '600000' };
const coop = 'J7VY4SD9HV';

let gated: GatedGateway | undefined;
afterEach(async () => {
  await gated?.close();
  gated = undefined;
});

async function countCards(connection: RawConnection): Promise<number> {
  const { data } = (await ask(connection, '{ cards { count } }')) as { data: { cards: { count: number } } };
  return data.cards.count;
}

async function addCard(connection: RawConnection, cardId: string): Promise<void> {
  const input = `{ card: { card_id: "${cardId}" }, entity: "${coop}" }`;
  const answer = await ask(connection, `mutation { createEntityCard(input: ${input}) { card { card_id } } }`);
  expect(answer).toEqual({ data: { createEntityCard: { card: { card_id: cardId } } } });
}

test('a client that has the answer to its write is shown no older list by another worker', async () => {
  const gateway = await serve(keeping);
  const [first, second] = [await connect(gateway.url), await connect(gateway.url)];
  const before = await countCards(first);
  expect(await countCards(second)).toBe(before);
  const calls = await gateway.upstreamCalls();
  expect([await countCards(first), await countCards(second)]).toEqual([before, before]);
  expect(await gateway.upstreamCalls()).toBe(calls);

  await addCard(first, 'one');
  expect(await countCards(second)).toBe(before + 1);
  await addCard(second, 'two');
  expect(await countCards(first)).toBe(before + 2);
});

test('a write is answered when the other workers have forgotten what they read while it was under way', async () => {
  gated = await startGatedGateway();
  const gateway = await servedOver(gated);
  const [first, second, alsoFirst] = [
    await connect(gateway.url),
    await connect(gateway.url),
    await connect(gateway.url),
  ];
  gated.shut('writes');
  const answered = addCard(first, 'brand-new');
  await gated.untilArrived(1);
  const before = await countCards(second);

  // What one worker tells another goes through the primary process.
  gateway.child.kill('SIGSTOP');
  gated.open();
  const laterAnswers = async () => {
    for (let times = 0; times < 3; times += 1) await ask(alsoFirst, '{ farmers { count } }');
  };
  const next = await Promise.race([answered.then(() => 'the write'), laterAnswers().then(() => 'later reads')]);
  gateway.child.kill('SIGCONT');

  expect(next).toBe('later reads');
  await answered;
  expect(await countCards(second)).toBe(before + 1);
});

test('what another worker has asked before a write is not kept when it comes', async () => {
  gated = await startGatedGateway();
  const { url } = await servedOver(gated);
  const [first, second] = [await connect(url), await connect(url)];
  gated.shut();
  const before = countCards(second);
  await gated.untilArrived(1);
  await addCard(first, 'brand-new');
  gated.open();
  await before;

  await countCards(second);

  expect(gated.arrived.filter((call) => call === page(paths.cards, 1))).toHaveLength(2);
});

test('a read that follows a write joins none from before it in another worker', async () => {
  gated = await startGatedGateway();
  const { url } = await servedOver(gated);
  const [first, second] = [await connect(url), await connect(url)];
  const [, alsoSecond] = [await connect(url), await connect(url)];
  gated.shut();
  const before = countCards(second);
  await gated.untilArrived(1);
  await addCard(first, 'brand-new');

  const after = countCards(alsoSecond);
  await gated.untilArrived(3);
  gated.open();

  await Promise.all([before, after]);
});

test('a key that the service refuses to one worker loses what another one has kept for it', async () => {
  const gateway = await serve(keeping);
  const [first, second] = [await connect(gateway.url), await connect(gateway.url)];
  await countCards(second);
  const calls = await gateway.upstreamCalls();

  const refused = await ask(first, '{ farmers { count } }', ['X-Sandbox-Fail: 401']);
  expect(refused).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });

  const readAgain = async () => {
    await countCards(second);
    return (await gateway.upstreamCalls()) - calls;
  };
  await expect.poll(readAgain, { timeout: 10_000 }).toBe(2);
});

test('a worker that is stuck holds up no write for ever, and forgets when it goes on', async () => {
  const gateway = await serve(keeping);
  const kept = [await connect(gateway.url), await connect(gateway.url)];
  const [before = 0] = await Promise.all(kept.map(countCards));
  const [stuck] = workers(gateway);
  process.kill(stuck as number, 'SIGSTOP');
  const answers = kept.map(async (connection) => {
    await ask(connection, '{ __typename }');
    return connection;
  });
  const going = await Promise.race(answers);

  await addCard(going, 'brand-new');
  process.kill(stuck as number, 'SIGCONT');

  await Promise.all(answers);
  const counted = () => Promise.all(kept.map(countCards));
  await expect.poll(counted, { timeout: 10_000 }).toEqual([before + 1, before + 1]);
});

/** Two workers with the gate between them and the service. */
async function servedOver({ upstreamUrl }: GatedGateway): Promise<Running & { url: string }> {
  const running = run({ ...keeping, UPSTREAM_URL: upstreamUrl });
  return { ...running, url: await printed(running, /GraphQL and GraphiQL +(\S+)/) };
}
