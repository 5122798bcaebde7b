import { serviceContract } from '../../../src/service-contract.ts';
import { callerOf } from '../../../test/support/caller.ts';
import { type CallerKnowledge, Knowledge } from '../../upstream/knowledge.ts';
import { priorCosts } from '../../upstream/service-costs.ts';
import { IdentityMap } from '../load/identity-map.ts';
import { Lists } from '../load/lists/lists.ts';
import type { ListReads } from '../load/reader.ts';

/** The knowledge of a gateway before its first call, for one caller. */
export function noKnowledge(): CallerKnowledge {
  return new Knowledge(serviceContract).of(callerOf({ authorization: 'a key' }));
}

/**
 * The lists of one request, as a service gives them. The operation has `msLeft` for its reads, by default any time. The caller
 * has `knowledge`, by default none.
 */
export function listsOf(
  parts: Pick<ListReads, 'read'> & Partial<ListReads>,
  msLeft = () => Number.POSITIVE_INFINITY,
  knowledge = noKnowledge(),
): Lists {
  const scope: ListReads['scope'] = {
    reason: undefined,
    get msLeft() {
      return msLeft();
    },
    due: Number.POSITIVE_INFINITY,
    add() {},
    sent: 0,
    hold: () => true,
  };
  const reads: ListReads = {
    contract: serviceContract,
    costs: priorCosts(serviceContract),
    budget: { left: 500 },
    scope,
    readInTime: (reads) => reads(scope),
    dialect: async () => serviceContract.dialect('spec'),
    cached: () => undefined,
    observer: undefined,
    ...parts,
  };
  return new Lists(reads, { seen: new IdentityMap(serviceContract, { knowledge }), knowledge }, { observe() {} });
}
