import type { Caller } from '@gateway/base';
import type { EndpointName, Kind, ListEndpointName, Target } from '@gateway/contract';
import { gatewayCost, pageSize, type Upstream, usualNextPageShare } from '@gateway/upstream';
import { maxPagesFor } from '../load/lists/id-search.ts';
import { mostRowsOf } from '../load/lists/look.ts';
import type { EstimatedCost } from '../request/upstream-report.ts';
import { firstKind, loadedTogether, othersOf } from './fan-out.ts';
import type { CostModel, EmbeddedPlan, Plan, ReferencePlan, TypePlan } from './plan.ts';
import { type AccessPath, type Cost, type PlanSetting, planRange, planSearch, supposedRows } from './planner.ts';
import { type RootCall, writesIn } from './root-plan.ts';

const nothing: Cost = { calls: 0, ms: 0, workMs: 0, gatewayMs: 0 };

/**
 * The expected cost of an operation, planned as the loaders plan. Nobody knows before the first call how many rows refer to
 * the same object. Traced requests of the caller show it. Before them, rows are supposed to refer to the objects of a list
 * at random. Behind n rows are √n objects of a kind without a list.
 */
export function expectedCost(
  roots: readonly RootCall[],
  { upstream, caller, callsLeft }: { upstream: Upstream; caller: Caller; callsLeft: number },
): EstimatedCost {
  const { contract, costs, knowledge } = upstream;
  const { parallelism, scarce } = costs;
  const known = knowledge.find(caller);

  /** Rows of a whole list, as far as the gateway knows. */
  function lengthOf(endpoint: ListEndpointName): number | undefined {
    return known?.lengthOf(endpoint);
  }

  /** Costs that overlap in time. The service shares its workers among them. */
  function plus(a: Cost, b: Cost): Cost {
    const workMs = a.workMs + b.workMs;
    const ms = Math.max(a.ms, b.ms, workMs / parallelism);
    return { calls: a.calls + b.calls, ms, workMs, gatewayMs: a.gatewayMs + b.gatewayMs };
  }

  function ofRoot(call: RootCall): Cost {
    const { plan } = call;
    if (call.how === 'write') {
      const chains = call.chains.map((chain) => chain.map(write).reduce(then, nothing));
      return then(chains.reduce(plus, nothing), below(plan, writesIn(contract, call)));
    }
    if (call.how === 'by id') {
      const { target } = call;
      const loaded = isNew(target) ? load(firstKind(contract, target), askedById(target)) : nothing;
      return then(loaded, below(plan, call.ids.length, `${target} ${call.ids}`));
    }
    if (call.how === 'look') return then(everyRow(call.endpoint), below(plan, call.objects));
    const setting = settingOf(call.endpoint);
    const { callMs } = setting.list;
    const count = isNew(JSON.stringify([call.endpoint, call.filters])) ? calls(1, callMs, callMs) : nothing;
    if (!call.needsRows) return count;
    const size = Object.keys(call.filters).length === 0 ? lengthOf(call.endpoint) : undefined;
    const rows = Math.max(1, Math.min(call.range.size, size ?? call.range.size));
    const { hasReferences } = call.list;
    const range = planRange({ ...setting, rows, isCounted: size !== undefined, hasReferences });
    const at = JSON.stringify([call.endpoint, call.filters, call.range]);
    const page = isNew(at) ? pathCost(range.chosen) : nothing;
    // The count shows where the end is.
    return [...(call.range.fromEnd ? [count] : []), page, below(plan, rows, at)].reduce(then);
  }

  /** Objects that all root fields by id load together. */
  function askedById(target: Target): number {
    return new Set(roots.flatMap((root) => (root.how === 'by id' && root.target === target ? root.ids : []))).size;
  }

  /** Places whose objects are counted. They load once, though edges show the rows of the results, and aliases show a field. */
  const counted = new Set<string>();
  const isNew = (place: string) => counted.size < counted.add(place).size;
  let unnamed = 0;

  /** The objects below `rows` objects of the type that costs most. `at`: their place in the operation; a new one by default. */
  function below(plan: Plan, rows: number, at?: string): Cost {
    const costs = [...plan.byType.values()].map((each) => ofType(each, rows, at));
    return costs.reduce((most, cost) => (cost.workMs > most.workMs ? cost : most), nothing);
  }

  const model: CostModel = {
    nothing,
    inTurn: (costs) => costs.reduce(then, nothing),
    objects: (kind, count) => load(kind, distinct(kind, count)),
    below: (plan, objects) => (plan ? ofType(plan, objects) : nothing),
    rowsOf: search,
    everyRow,
  };

  function ofType({ references, embedded, derived }: TypePlan, rows: number, at = `${unnamed++}`): Cost {
    if (rows === 0) return nothing;
    const loads = loadedTogether(contract, references).map(({ name, kind, places }) => {
      const fanOut = known?.fanOuts.get(name);
      // The places have objects in common, which load once, and count once below.
      const together = fanOut ? othersOf(fanOut, rows) : Number.POSITIVE_INFINITY;
      const fresh = places.filter((place) => isNew(`${at}.${place.name}`));
      const apart = kind === undefined ? 0 : fresh.reduce((sum, place) => sum + keysAt(kind, place, rows), 0);
      const keys = Math.min(apart, together);
      const ofPlaces = places.map((place) =>
        below(place.plan, Math.min(objectsAt(place, rows), together), `${at}.${fanOut ? name : place.name}`),
      );
      return then(kind === undefined || keys === 0 ? nothing : load(kind, keys), ofPlaces.reduce(plus));
    });
    const inside = embedded.map((part) => {
      const { key, plan } = part;
      const place = key === 'edges' ? at : `${at}.${key === 'node' ? 'results' : key}`;
      const objects = objectsAt(part, rows);
      return then(completions(plan, objects, place), below(plan, objects, place));
    });
    return [...loads, ...inside, ...derived.map((each) => each.cost(model, rows))].reduce(plus, nothing);
  }

  function objectsAt({ name, items }: ReferencePlan | EmbeddedPlan, rows: number): number {
    const fanOut = name && known?.fanOuts.get(name);
    return fanOut ? othersOf(fanOut, rows) : rows * items;
  }

  /** The different objects. Answers with one reference each have not shown how many references are to the same. */
  function keysAt(kind: Kind, place: ReferencePlan, rows: number): number {
    const objects = objectsAt(place, rows);
    return objects < 1 || known?.fanOuts.get(place.name)?.logReferences ? objects : distinct(kind, objects);
  }

  /** The GETs of rows that lack properties of the selection. */
  function completions({ byType }: Plan, rows: number, at: string): Cost {
    const [{ lacking } = {}] = byType.values();
    return lacking === undefined || !isNew(at) ? nothing : gets(lacking, rows);
  }

  function load(kind: Kind, keys: number): Cost {
    const isListOnly = contract.isListOnly(kind);
    if (!isListOnly && (!contract.isListed(kind) || keys < 2)) return gets(kind, keys);
    const list = contract.listEndpoint(kind);
    const search = { ...settingOf(list), keys };
    // All places find their objects in the same pages.
    if (isListOnly) return isNew(list) ? scan({ ...search, unread: sizeOf(kind) }) : nothing;
    const getMs = costs.of(contract.getEndpoint(kind)).callMs;
    // Rows refer to the objects of a union on all pages of the list.
    const nextPageShare = contract.unionWith(kind) ? 0 : usualNextPageShare;
    return scan({ ...search, unread: lengthOf(list), getMs, maxPages: maxPagesFor(keys), nextPageShare });
  }

  /** Found by a filter or by a scan. */
  function search(list: ListEndpointName, by: string | undefined, keys: number, limit: number): Cost {
    const isFiltered = by !== undefined && knowledge.list(list).isFilterApplied(by) === true;
    const setting = settingOf(list);
    const unread = Math.min(lengthOf(list) ?? supposedRows, mostRowsOf(setting));
    const getMs = isFiltered ? setting.list.callMs + limit * setting.list.rowMs : undefined;
    return scan({ ...setting, keys, getMs, unread, maxPages: maxPagesFor(keys) });
  }

  function everyRow(list: ListEndpointName): Cost {
    const setting = settingOf(list);
    const rows = Math.min(lengthOf(list) ?? supposedRows, mostRowsOf(setting));
    const isCounted = lengthOf(list) !== undefined;
    return pathCost(planRange({ ...setting, rows, isCounted, hasReferences: false }).chosen);
  }

  function scan(search: Parameters<typeof planSearch>[0]): Cost {
    return pathCost(planSearch(search).chosen);
  }

  function gets(kind: Kind, keys: number): Cost {
    if (!contract.isById(kind)) return nothing;
    const { callMs } = costs.of(contract.getEndpoint(kind));
    const rounds = Math.ceil(keys / Math.max(1, Math.round(parallelism)));
    return calls(keys, rounds * callMs, keys * callMs);
  }

  function write(endpoint: EndpointName): Cost {
    const { callMs } = costs.of(endpoint);
    return calls(1, callMs, callMs);
  }

  function distinct(kind: Kind, keys: number): number {
    if (!contract.isListed(kind) && !contract.isListOnly(kind)) return Math.round(Math.sqrt(keys));
    const size = sizeOf(kind);
    return Math.max(1, Math.round(size * (1 - (1 - 1 / size) ** keys)));
  }

  function sizeOf(kind: Kind): number {
    return Math.max(1, lengthOf(contract.listEndpoint(kind)) ?? supposedRows);
  }

  function settingOf(endpoint: ListEndpointName): PlanSetting {
    const { unpaged } = contract.endpoint(endpoint);
    return { list: costs.of(endpoint), pageSize, unpaged, parallelism, scarce, callsLeft };
  }

  const isMutation = roots.some(({ how }) => how === 'write');
  const cost = roots.map(ofRoot).reduce(isMutation ? then : plus, nothing);
  return {
    calls: Math.round(cost.calls),
    ms: Math.round(cost.ms + cost.gatewayMs),
    workMs: Math.round(cost.workMs),
  };
}

/** Costs of which one waits for the other. */
function then(a: Cost, b: Cost): Cost {
  return {
    calls: a.calls + b.calls,
    ms: a.ms + b.ms,
    workMs: a.workMs + b.workMs,
    gatewayMs: a.gatewayMs + b.gatewayMs,
  };
}

function pathCost({ gets, pages, ms, workMs, gatewayMs }: AccessPath): Cost {
  return { calls: gets + pages, ms, workMs, gatewayMs };
}

/** Calls without rows that matter. */
function calls(count: number, ms: number, workMs: number): Cost {
  return { calls: count, ms, workMs, gatewayMs: count * gatewayCost.callMs };
}
