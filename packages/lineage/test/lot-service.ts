import { ChangingList, type ListRow } from '../../../test/support/changing-list.ts';
import { type FakeRequest, type Reply, startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import { type GatewayOptions, startGateway } from '../../../test/support/harness.ts';
import { listPaths } from '../../../test/support/rest-endpoints.ts';
import { type SteppedCall, startStepwiseService } from '../../cost-report/stepwise-service.ts';

export interface LotRow extends ListRow {
  parents: string[];
  source: string;
  destination: string;
  quantity: string;
}

const path = listPaths.productTransactions;
const newest = 1_790_000_000;

/** Lots by id, each with the ids of the lots that it came from. The first one is the newest; a second lies between two. */
export function lotsOf(parents: Readonly<Record<string, readonly string[]>>): LotRow[] {
  return Object.entries(parents).map(([id, of], at) => ({
    id,
    created_on: String(newest - at),
    parents: [...of],
    source: `${id}source`,
    destination: `${id}destination`,
    quantity: `${at}.250`,
  }));
}

/** A gateway over a service of the dialect `connect`, whose product transactions are these lots. */
export async function startLots(rows: LotRow[], options: GatewayOptions = {}) {
  const list = new ChangingList(path, rows);
  const hidden = new Set<string>();
  let faulty: (request: FakeRequest) => Reply | undefined = () => undefined;
  const upstream = await startFakeUpstream({
    respond(request) {
      const id = request.path.startsWith(path) ? request.path.slice(path.length).split('/')[0] : undefined;
      const row = list.rows.find((each) => each.id === id && !hidden.has(each.id));
      const found = row && { body: JSON.stringify({ success: true, code: 200, data: row }) };
      return faulty(request) ?? list.respond(request) ?? found ?? { status: 404, body: '{}' };
    },
  });
  const steps = await startStepwiseService(upstream.url);
  const gateway = await startGateway({ ...options, upstreamUrl: steps.url, sandbox: { dialect: 'connect' } });
  const key = 'Bearer demo-coop';
  return {
    list,
    hidden,
    /** Answers requests in place of the lots. */
    failOn(respond: typeof faulty) {
      faulty = respond;
    },
    /** Sends an operation, and gives its answer, its calls and their waves. */
    async query(document: string, variables: object = {}) {
      const { data, errors } = await gateway.query(document, variables, { key });
      const calls: SteppedCall[] = await steps.takeCalls();
      return { data, errors, calls, waves: calls.at(-1)?.wave ?? 0 };
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await steps.close();
      await upstream.close();
    },
  };
}
