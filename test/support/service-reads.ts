import { IdentityMap } from '../../src/loaders/identity-map.ts';
import { ListPages } from '../../src/loaders/lists/list-reader.ts';
import type { ServiceReads } from '../../src/loaders/service-reads.ts';
import { callerOf } from '../../src/upstream/caller.ts';
import { Dialect } from '../../src/upstream/dialect.ts';
import { type CallerKnowledge, Knowledge } from '../../src/upstream/knowledge.ts';
import { priorCosts } from '../../src/upstream/service-costs.ts';

/** The knowledge of a gateway before its first call, for one caller. */
export function noKnowledge(): CallerKnowledge {
  return new Knowledge(new Dialect('spec')).of(callerOf({ authorization: 'a key' }));
}

/** The service as loaders see it, for tests of one loader. The operation has `msLeft` for its reads, by default any time. */
function serviceReads(
  parts: Pick<ServiceReads, 'read'> & Partial<ServiceReads>,
  msLeft = () => Number.POSITIVE_INFINITY,
): ServiceReads {
  const scope: ServiceReads['scope'] = {
    reason: undefined,
    get msLeft() {
      return msLeft();
    },
    due: Number.POSITIVE_INFINITY,
    add() {},
    hold: () => true,
  };
  return {
    costs: priorCosts,
    knowledge: noKnowledge,
    callsLeft: 500,
    scope,
    readInTime: (reads) => reads(scope),
    dialect: async () => 'spec',
    ...parts,
  };
}

/** The lists of one request, as a service gives them. */
export function listPages(...[parts, msLeft]: Parameters<typeof serviceReads>): ListPages {
  const reads = serviceReads(parts, msLeft);
  const knowledge = reads.knowledge();
  return new ListPages(reads, { seen: new IdentityMap({ knowledge }), knowledge }, { observe() {} });
}
