import { getEndpoint, isById, isListed } from '../../loaders/kinds.ts';
import { endpoints } from '../../upstream/endpoints.ts';
import type { ServiceCosts } from '../../upstream/service-costs.ts';
import type { RootCall } from './root-calls.ts';

/** The least time that the service works for the calls of root fields. Lists in the cache cost nothing. */
export function minServiceMs(calls: readonly RootCall[], costs: ServiceCosts, usesCache: boolean): number {
  let ms = 0;
  for (const call of calls) {
    if (call.how === 'list') {
      if (usesCache && endpoints[call.endpoint].isCached && Object.keys(call.filters).length === 0) continue;
      const { callMs, rowMs } = costs.of(call.endpoint);
      ms += callMs + (call.needsRows ? call.range.size * rowMs : 0);
    } else if (call.how === 'by id') {
      if (call.target === 'Entity' || !isById(call.target)) continue;
      // One page of a list may hold all of them.
      const calls = isListed(call.target) ? 1 : new Set(call.ids).size;
      ms += calls * costs.of(getEndpoint(call.target)).callMs;
    } else if (call.how !== 'no call') {
      const kinds = call.how === 'push' ? call.chains.flat() : [call.kind];
      // A write takes about as long as a read of what was written.
      for (const kind of kinds) ms += isById(kind) ? costs.of(getEndpoint(kind)).callMs : 0;
    }
  }
  return ms;
}
