/**
 * The benchmark in small, without times: each operation once through the floor and through our gateway. Both start as in
 * the benchmark. Needs no package of this folder. As a program it fails where `test/bench/operations.test.ts` does.
 */
import { isDeepStrictEqual } from 'node:util';
import { foreignValues } from './lib/cross-caller.ts';
import { documentFor, type OperationName, operationNames } from './lib/operations.ts';
import { type Peer, peerNamed } from './lib/peers.ts';
import { ask, withPeer } from './lib/running.ts';

export type Calls = Record<string, number>;

export interface Observation {
  answer: unknown;
  calls: Calls;
}

/** The upstream calls of our gateway. Each operation is sent once, in this order, by another caller. */
const expectedCalls: Record<OperationName, Calls> = {
  small: { 'get /supply-chains/farmers/{id}/': 1 },
  page: { 'list /supply-chains/farmers/': 1, 'get /supply-chains/companies/{id}/': 20 },
  deep: {
    'list /transactions/product-transactions/': 1,
    'get /supply-chains/farmers/{id}/': 80,
    'get /supply-chains/companies/{id}/': 5,
    'get /accounts/users/{id}/': 10,
    'list /catalogs/products/': 1,
  },
  catalog: { 'list /catalogs/currencies/': 1 },
  idonly: { 'list /supply-chains/farmers/': 1 },
};

/** A page of dear rows may be read as up to eight at once. Objects with a GET may come in up to 16 pages of their list. */
export function makesExpectedCalls(name: OperationName, calls: Calls): boolean {
  const expected = expectedCalls[name];
  const paths = new Set([...Object.keys(expected), ...Object.keys(calls)]);
  return [...paths].every((path) => {
    const [most = 0, made = 0] = [expected[path], calls[path]];
    if (path.startsWith('list ')) {
      const gets = expected[`${path.replace('list ', 'get ')}{id}/`];
      return made >= most && made <= 8 * most + (gets ? 16 : 0);
    }
    const pages = calls[path.replace('get ', 'list ').replace('{id}/', '')];
    return made === most || (made < most && pages !== undefined);
  });
}

/** The answer and the upstream calls of each operation, as a peer that has just been started gives them. */
export function observe(peerName: string): Promise<Record<OperationName, Observation>> {
  const peer = peerNamed(peerName);
  return withPeer(peer, {}, async ({ url }, { takeCalls }) => {
    const observed: Partial<Record<OperationName, Observation>> = {};
    for (const name of operationNames) {
      await takeCalls();
      const { body } = await ask(url, documentFor(peer, name), `Bearer ${name}`);
      observed[name] = { answer: body, calls: await takeCalls() };
    }
    return observed as Record<OperationName, Observation>;
  });
}

/** Marks of other callers in the answers of our gateway; none are expected. */
export async function foreignValuesOfOurs(): Promise<string[]> {
  const answers = await foreignValues(ours(), { rounds: 2, callers: 16 });
  return answers.flatMap(({ foreign }) => foreign);
}

function ours(): Peer {
  return peerNamed('ours');
}

if (import.meta.main) {
  const [floor, gateway, foreign] = await Promise.all([observe('floor'), observe('ours'), foreignValuesOfOurs()]);
  for (const name of operationNames) {
    const isRight =
      isDeepStrictEqual(gateway[name].answer, floor[name].answer) && makesExpectedCalls(name, gateway[name].calls);
    console.log(`${isRight ? 'as expected' : 'DIFFERENT'}  ${name}  ${JSON.stringify(gateway[name].calls)}`);
    if (!isRight) process.exitCode = 1;
  }
  console.log(
    `${foreign.length === 0 ? 'as expected' : 'DIFFERENT'}  callers apart  ${foreign.slice(0, 5).join(', ')}`,
  );
  if (foreign.length > 0) process.exitCode = 1;
}
