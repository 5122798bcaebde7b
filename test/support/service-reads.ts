import type { ServiceReads } from '../../src/loaders/service-reads.ts';
import { FilterSupport } from '../../src/upstream/filter-support.ts';
import { ListShifts } from '../../src/upstream/list-shifts.ts';
import { CallerMisses } from '../../src/upstream/missing-objects.ts';
import { priorCosts } from '../../src/upstream/service-costs.ts';

/** The service as loaders see it, for tests of one loader. The operation has `msLeft` for its reads, by default any time. */
export function serviceReads(
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
    shifts: new ListShifts(),
    lacks: () => false,
    filterSupport: new FilterSupport(),
    callsLeft: 500,
    scope,
    readInTime: (reads) => reads(scope),
    dialect: async () => 'spec',
    pageSizeOf: () => 100,
    lengthOf: () => undefined,
    guessLength: () => undefined,
    missingObjects: () => new CallerMisses(),
    failingRows: () => undefined,
    learnFailingRows() {},
    ...parts,
  };
}
