import { documentFor, type OperationName, operationNames } from '../../bench/lib/operations.ts';
import { peerNamed } from '../../bench/lib/peers.ts';
import { ask, withPeer } from '../../bench/lib/running.ts';

type Calls = Record<string, number>;

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
