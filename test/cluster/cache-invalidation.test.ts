import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { printed, type Running, run, type Served, serve } from '../support/own-process.ts';
import type { RawConnection } from '../support/raw-http.ts';
import { page, paths } from '../support/rest-reads.ts';
import { ask, connect, twoWorkers, workers } from '../support/worker-connections.ts';

const keeping = { ...twoWorkers, 'cache.lists.ttlMs': '600000' };
const coop = 'J7VY4SD9HV';

// The cache has separate lists for each language: each test has its own, so that its cache is empty.
let language = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  language = `Accept-Language: x-${tests}`;
});

async function countCards(connection: RawConnection): Promise<number> {
  const answer = await ask(connection, '{ cards { count } }', [language]);
  return (answer as { data: { cards: { count: number } } }).data.cards.count;
}

let cards = 0;

async function addCard(connection: RawConnection): Promise<void> {
  cards += 1;
  const input = `{ card: { card_id: "new-${cards}" }, entity: "${coop}" }`;
  const mutation = `mutation { createEntityCard(input: ${input}) { card { card_id } } }`;
  const answer = await ask(connection, mutation, [language]);
  expect(answer).toEqual({ data: { createEntityCard: { card: { card_id: `new-${cards}` } } } });
}

describe('with two workers', () => {
  let gateway: Served;
  beforeAll(async () => {
    gateway = await serve(keeping);
  });

  test('after the answer to a write, no worker shows an older list', async () => {
    const [first, second] = [await connect(gateway.url), await connect(gateway.url)];
    const before = await countCards(first);
    expect(await countCards(second)).toBe(before);
    const calls = await gateway.upstreamCalls();
    expect([await countCards(first), await countCards(second)]).toEqual([before, before]);
    expect(await gateway.upstreamCalls()).toBe(calls);

    await addCard(first);
    expect(await countCards(second)).toBe(before + 1);
    await addCard(second);
    expect(await countCards(first)).toBe(before + 2);
  });

  test('a 401 to one worker drops the lists of that key in the other', async () => {
    const [first, second] = [await connect(gateway.url), await connect(gateway.url)];
    await countCards(second);
    const calls = await gateway.upstreamCalls();

    const refused = await ask(first, '{ farmers { count } }', [language, 'X-Sandbox-Fail: 401']);
    expect(refused).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });

    const readAgain = async () => {
      await countCards(second);
      return (await gateway.upstreamCalls()) - calls;
    };
    await expect.poll(readAgain).toBe(2);
  });

  test('a stuck worker does not block a write, and invalidates when it goes on', async () => {
    const connections = [await connect(gateway.url), await connect(gateway.url)];
    const [before = 0] = await Promise.all(connections.map(countCards));
    const [stuck] = workers(gateway);
    process.kill(stuck as number, 'SIGSTOP');
    onTestFinished(() => void process.kill(stuck as number, 'SIGCONT'));
    const answers = connections.map(async (connection) => {
      await ask(connection, '{ __typename }');
      return connection;
    });
    const going = await Promise.race(answers);

    await addCard(going);
    process.kill(stuck as number, 'SIGCONT');

    await Promise.all(answers);
    const counted = () => Promise.all(connections.map(countCards));
    await expect.poll(counted).toEqual([before + 1, before + 1]);
  });
});

describe('with two workers and a service that holds answers', () => {
  let gated: FakedGateway;
  let gateway: Running;
  let url: string;
  beforeAll(async () => {
    gated = await startFakedGateway();
    gateway = run({ ...keeping, UPSTREAM_URL: gated.upstream.url });
    url = await printed(gateway, /GraphQL and GraphiQL +(\S+)/);
  });
  beforeEach(() => {
    gated.upstream.clear();
  });
  afterAll(() => gated.close());

  test('a write is answered after the other workers invalidated what they read meanwhile', async () => {
    const [first, second, alsoFirst] = [await connect(url), await connect(url), await connect(url)];
    gated.upstream.hold('writes');
    const answered = addCard(first);
    await gated.upstream.untilArrived(1);
    const before = await countCards(second);

    // Messages between workers go through the primary process.
    gateway.child.kill('SIGSTOP');
    onTestFinished(() => void gateway.child.kill('SIGCONT'));
    gated.upstream.release();
    const laterAnswers = async () => {
      for (let times = 0; times < 3; times += 1) await ask(alsoFirst, '{ farmers { count } }');
    };
    const next = await Promise.race([answered.then(() => 'the write'), laterAnswers().then(() => 'later reads')]);
    gateway.child.kill('SIGCONT');

    expect(next).toBe('later reads');
    await answered;
    expect(await countCards(second)).toBe(before + 1);
  });

  test('a read of another worker from before a write is not cached', async () => {
    const [first, second] = [await connect(url), await connect(url)];
    gated.upstream.hold();
    const before = countCards(second);
    await gated.upstream.untilArrived(1);
    await addCard(first);
    gated.upstream.release();
    await before;

    await countCards(second);

    expect(gated.upstream.calls.filter((call) => call === page(paths.cards, 1))).toHaveLength(2);
  });

  test('a read after a write does not join an older read of another worker', async () => {
    const [first, second] = [await connect(url), await connect(url)];
    const [, alsoSecond] = [await connect(url), await connect(url)];
    gated.upstream.hold();
    const before = countCards(second);
    await gated.upstream.untilArrived(1);
    await addCard(first);

    const after = countCards(alsoSecond);
    await gated.upstream.untilArrived(3);
    gated.upstream.release();

    await Promise.all([before, after]);
  });
});
