import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { traceability } from '../../src/app.ts';
import { endpoints } from '../../src/generated/contract.ts';
import type { Answer } from '../support/client.ts';
import { type CostTable, randomCosts, TableCosts } from '../support/cost-profiles.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { randomOperation, roomForRandom } from '../support/random-documents/document.ts';
import { faultsOf } from '../support/random-documents/faults.ts';
import { readWorld, type World, writeDeadEnds } from '../support/random-documents/world.ts';
import type { Operation } from '../support/random-documents/writer.ts';
import { withPositions } from '../support/reference-executor/connection.ts';
import { type Expected, executeSlowly } from '../support/reference-executor/executor.ts';
import { resourcePaths } from '../support/rest-endpoints.ts';

// PROPERTY_RUNS sets the number of documents, PROPERTY_SEED chooses them. A failure prints its seed and smallest document.
const firstSeed = Number(process.env.PROPERTY_SEED ?? 20260701);
const schema = buildSchema(traceability.typeDefs);

/** Paths of lists whose rows have no GET by id. */
const listOnly = Object.values(endpoints).flatMap(({ does, kind, path }) =>
  does === 'list' && !resourcePaths[kind] ? [path] : [],
);

// Each key has its own gateway, because a gateway remembers the kinds of entities across callers.
describe.each([
  { dialect: 'spec', key: 'demo-coop', documents: 90, seed: firstSeed + 1 },
  { dialect: 'spec', key: 'demo-buyer', documents: 50, seed: firstSeed + 2 },
  { dialect: 'connect', key: 'Bearer demo-coop', documents: 70, seed: firstSeed },
] as const)('a random document as $key before a $dialect service', ({ dialect, key, documents, seed }) => {
  const numRuns = Number(process.env.PROPERTY_RUNS ?? documents);
  const costs = new TableCosts();
  let gateway: Gateway;
  let world: World;

  beforeAll(async () => {
    const settings = { 'cache.lists.ttlMs': '600000', ...roomForRandom };
    // The reference executor reads other pages, which would show rows of one time in another order.
    gateway = await startGateway({ sandbox: { dialect, shufflesTies: false }, settings, costs });
    const { url } = gateway.sandbox;
    await writeDeadEnds(url, 'Bearer demo-coop', 'Bearer demo-buyer');
    world = await readWorld(url, key);
  });
  afterAll(() => gateway.close());

  test('has the answer of one GET per reference, for about as many calls', {
    timeout: 120_000 + 200 * numRuns,
  }, async () => {
    const property = fc.asyncProperty(
      randomOperation(schema, world),
      randomCosts,
      rarely,
      async (operation, table, isCold) => {
        costs.table = table;
        const { document, variables } = operation;
        const answer = await (isCold ? askAnew(document, variables) : gateway.query(document, variables, { key }));
        const calls = dialect === 'spec' ? answer.calls : answer.calls.filter((...call) => !isCheck(...call));
        judge({ ...answer, calls }, await executeSlowly({ url: gateway.sandbox.url, key }, document, variables), table);
      },
    );
    // fast-check shrinks a failure for a minute, then reports it.
    const interruptAfterTimeLimit = 60_000 + 200 * numRuns;
    // Only the first query learns the kind of an entity.
    const document = `{ entity(id: "${world.ids.company?.[0]}") { __typename name } }`;
    const examples: [Operation, CostTable | undefined, boolean][] = [[{ document, variables: {} }, undefined, true]];
    await fc.assert(property, { seed, numRuns, examples, interruptAfterTimeLimit, markInterruptAsFailure: true });
  });

  /** Asks a gateway that just started. */
  async function askAnew(document: string, variables: object): Promise<Answer> {
    const { sandbox } = gateway;
    const settings = roomForRandom;
    await using anew = await startGateway({ sandbox: { dialect }, settings, upstreamUrl: sandbox.url, costs });
    sandbox.clearCalls();
    const answer = await anew.query(document, variables, { key });
    return { ...answer, calls: sandbox.calls().map(({ method, path }) => `${method} ${path}`) };
  }
});

describe('a random document before a service that hides, fails and embeds', () => {
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 70);
  const costs = new TableCosts();
  let gateway: FakedGateway;
  let world: World;

  beforeAll(async () => {
    gateway = await startFakedGateway({ ...roomForRandom, 'limits.documents.tokens': '3000' }, { costs });
    const { url } = gateway.sandbox;
    await writeDeadEnds(url, 'demo-coop', 'demo-buyer');
    world = await readWorld(url, 'demo-coop');
  });
  afterAll(() => gateway.close());

  test('has each object whole, or an error in its place', { timeout: 120_000 + 200 * numRuns }, async () => {
    const { upstream, sandbox } = gateway;
    const { embedding, faults } = await faultsOf(sandbox.url, 'demo-coop');
    const property = fc.asyncProperty(
      randomOperation(schema, world),
      fc.subarray(faults),
      randomCosts,
      async ({ document: random, variables }, chosen, table) => {
        costs.table = table;
        // The company embeds objects that the service may hide elsewhere.
        const document = random.replace('{', `{ embeds: company(id: "${embedding}") { name } `);
        upstream.recover();
        for (const { path, reply } of chosen) upstream.fail(path, reply);
        // The service hides other objects in each run, so that an earlier miss is no answer.
        const answer = await gateway.query(document, variables, { headers: { 'cache-control': 'no-cache' } });
        const service = { url: upstream.url, key: 'demo-coop', faultlessUrl: sandbox.url };
        judgeAnswer(answer, await executeSlowly(service, document, variables));
      },
    );
    const interruptAfterTimeLimit = 60_000 + 200 * numRuns;
    await fc.assert(property, { seed: firstSeed + 8, numRuns, interruptAfterTimeLimit, markInterruptAsFailure: true });
  });
});

/** A gateway takes a while to start. */
const rarely = fc.nat(39).map((number) => number === 39);

function judge(answer: Answer, expected: Expected, costs: CostTable | undefined): void {
  judgeAnswer(answer, expected);
  judgeCalls(answer.calls, expected, costs);
}

function judgeAnswer(answer: Answer, expected: Expected): void {
  const actual = {
    data: withPositions(answer.data),
    errors: answer.errors.map(({ path = [], extensions }) => ({ path, code: String(extensions.code) })),
  };
  shorten(actual.data, expected.data, expected, []);
  for (const { path, code } of expected.failing) fail(actual, expected, path, code);
  for (const path of expected.elsewhere) for (const each of [actual, expected]) removeAt(each, path);
  expect(withoutHosts(actual.data)).toEqual(withoutHosts(expected.data));
  expect(summaries(actual)).toEqual(summaries(expected));
}

/** An object that another one embeds may have come from the service or from the fake before it. */
function withoutHosts(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''));
}

/** Where the gateway says that rows may be missing, expects the newest ones alone. */
function shorten(actual: Shown['data'], wanted: Shown['data'], expected: Expected, path: Path): void {
  if (typeof actual !== 'object' || actual === null || typeof wanted !== 'object' || wanted === null) return;
  for (const key of Object.keys(actual)) {
    const [mine, theirs] = [actual[key], wanted[key]];
    if (actual.complete === false && Array.isArray(mine) && Array.isArray(theirs)) {
      theirs.splice(mine.length);
      const isCut = (error: Path) =>
        path.every((step, at) => error[at] === step) &&
        Number(error[path.length + 1]) >= mine.length &&
        error[path.length] === key;
      expected.errors = expected.errors.filter((error) => !isCut(error.path));
    } else if (actual.complete === false && typeof mine !== 'object') wanted[key] = mine;
    shorten(mine, wanted[key], expected, [...path, Array.isArray(actual) ? Number(key) : key]);
  }
}

/** Expects the error of a failing reference where the answer has one. Otherwise the answer shows the whole object. */
function fail(actual: Shown, expected: Expected, path: Path, code: string): void {
  if (!actual.errors.some((error) => error.path.join() === path.join())) return;
  const errors = actual.errors.filter((error) => error.path.join() === path.join());
  for (const each of [actual, expected]) removeAt(each, path);
  actual.errors.push(...errors);
  expected.errors.push({ path, code });
}

function judgeCalls(calls: string[], expected: Expected, costs: CostTable | undefined): void {
  const shown = calls.join('\n');
  expect(new Set(calls).size, `A call was made twice:\n${shown}`).toBe(calls.length);
  // Objects seen elsewhere may hold references that one GET lacks.
  if (expected.elsewhere.length > 0) return;
  const known = idsIn(expected.calls);
  expect(
    idsIn(calls).filter((id) => !known.includes(id)),
    `Asked for without need:\n${shown}`,
  ).toEqual([]);
  const early = calls.filter((call) => isEarlyList(call, expected.calls));
  expect(calls.length - early.length, `Too many calls:\n${shown}`).toBeLessThanOrEqual(mostCalls(expected, costs));
}

/** The gateway begins to read a list that rows probably refer to, before it knows whether there is a row. */
function isEarlyList(call: string, expected: string[]): boolean {
  const path = listOnly.find((each) => call === `GET ${each}?limit=100&offset=0`);
  return path !== undefined && !expected.some((each) => each.startsWith(`GET ${path}`));
}

/** The gateway checks a filter by a value of no row, and by the first row as it is now. */
function isCheck(call: string, at: number, calls: readonly string[]): boolean {
  const isFirstRow = call.endsWith('/?limit=1&offset=0');
  return (
    (isFirstRow && calls.indexOf(call) < at) || /=(a\+text\+of\+no\+row|4102444800|0)&limit=1&offset=0$/.test(call)
  );
}

/** The most calls in place of those that the reference executor makes. */
function mostCalls({ calls, errors }: Expected, costs: CostTable | undefined): number {
  const all = [...new Set(calls)];
  const gets = all.filter((call) => !call.includes('limit=')).length;
  // The gateway may read a page of a list in place of each GET, and then lack the ids.
  const isInVain = costs !== undefined || errors.some(({ code }) => code === 'REFERENCE_NOT_FOUND');
  // Up to eight pages side by side can be faster than one. Those that do not fit together are read again as one.
  const pages = (all.length - gets) * (costs === undefined ? 1 : 8 + 1);
  // Two calls can show whether the service applies a filter.
  const filtered = all.filter((call) => /[?&](?!(limit|offset|filter_by)=)\w+=/.test(call));
  return pages + gets * (isInVain ? 2 : 1) + 2 * filtered.length;
}

const idsIn = (calls: string[]) => calls.flatMap((call) => /([^/]+)\/$/.exec(call)?.[1] ?? []);

type Shown = Pick<Expected, 'data' | 'errors'>;
type Path = Expected['elsewhere'][number];

/** Removes a value, and the errors inside it. */
function removeAt(answer: Shown, path: Path): void {
  const holder = path.slice(0, -1).reduce((value, key) => value?.[key], answer.data);
  if (holder) holder[path.at(-1)!] = null;
  answer.errors = answer.errors.filter((error) => !path.every((key, index) => error.path[index] === key));
}

/** Errors have no order among themselves. */
const summaries = ({ errors }: Pick<Shown, 'errors'>) =>
  errors.map(({ path, code }) => `${code} ${path.join('.')}`).sort();
