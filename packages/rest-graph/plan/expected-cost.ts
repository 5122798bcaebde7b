import { type Caller, madeOnce } from '@gateway/base';
import type { EndpointName, Kind, ListEndpointName, Target } from '@gateway/contract';
import { gatewayCost, pageSize, type Upstream, usualNextPageShare } from '@gateway/upstream';
import { maxPagesFor } from '../load/lists/id-search.ts';
import { mostRowsOf } from '../load/lists/look.ts';
import type { EstimatedCost } from '../request/upstream-report.ts';
import { othersOf } from './fan-out.ts';
import type { CostModel, DerivedPlan, EmbeddedPlan, Plan, ReferencePlan, TypePlan } from './plan.ts';
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
  const learnt = (name: string) => known?.fanOuts.get(name);
  const othersAt = (name: string, count: number) => othersOf(learnt(name), count);

  /** Rows of a whole list, as far as the gateway knows. */
  const lengthOf = (endpoint: ListEndpointName) => known?.lengthOf(endpoint);

  /** Costs that overlap in time. The service shares its workers among them. */
  function plus(a: Cost, b: Cost): Cost {
    const inTurn = then(a, b);
    return { ...inTurn, ms: Math.max(a.ms, b.ms, inTurn.workMs / parallelism) };
  }

  function ofRoot(call: RootCall): Cost {
    const { plan } = call;
    if (call.how === 'write') {
      const chains = call.chains.map((chain) => chain.map(write).reduce(then, nothing));
      return then(chains.reduce(plus, nothing), below(plan, writesIn(contract, call)));
    }
    if (call.how === 'by id') {
      const { target } = call;
      const loaded = isNew(target) ? load(contract.union(target)?.kinds[0] ?? target, askedById(target)) : nothing;
      return then(loaded, below(plan, call.ids.length, `${target} ${call.ids}`));
    }
    if (call.how === 'look')
      return then(everyRow(call.endpoint), below(plan, valuesFor([...plan.byType.values()], call.objects)));
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
  const loaded = new Map<Kind, { all: number; most: number }>();

  /** The cost below `rows` objects: of the kinds learnt for their place, or of the type that costs most. `at`: a new place by default. */
  function below({ byType }: Plan, rows: number, at?: string, name = ''): Cost {
    const ofKind = (kind: string) => learnt(`${name} ${kind}`)?.references ?? 0;
    const all = [...byType.keys()].reduce((sum, kind) => sum + ofKind(kind), 0);
    const costs = [...byType].map(([kind, each]) => ofType(each, all > 0 ? (rows * ofKind(kind)) / all : rows, at));
    if (all > 0) return costs.reduce(plus);
    return costs.reduce((most, cost) => (cost.workMs > most.workMs ? cost : most), nothing);
  }

  /** Objects that no place of the operation has loaded before. Those of the place with the most are different. */
  function fresh(kind: Kind, objects: number): number {
    const { references: share, objects: of } = learnt(kind) ?? { references: 1, objects: 1 };
    const places = madeOnce(loaded, kind, () => ({ all: 0, most: 0 }));
    const different = () => places.most + (share / of) * (places.all - places.most);
    const before = different();
    places.all += objects;
    places.most = Math.max(places.most, objects);
    return different() - before;
  }

  /** One value shows the objects, where the lengths of its lists are learnt. */
  function valuesFor(plans: readonly TypePlan[], objects: number): number {
    const lists = plans.flatMap(({ embedded }) => embedded);
    return lists.every(({ name = '' }) => learnt(name)) ? Math.min(1, objects) : objects;
  }

  /** A derived field reads as much as traced requests have read for it, or as it supposes. */
  function ofDerived({ name, below, items, cost }: DerivedPlan, rows: number): Cost {
    const read = (of: string, count: number) => othersAt(`${name} ${of}`, count);
    const model: CostModel = {
      objects(kind, waves) {
        const all = read(kind, rows) ?? (learnt(name) && 0);
        const supposed = waves.reduce((sum, keys) => sum + keys, 0);
        const keysOf = (keys: number) => (all === undefined ? distinct(kind, keys) : (all * keys) / supposed);
        return waves.map((keys) => load(kind, fresh(kind, keysOf(keys)))).reduce(then, nothing);
      },
      rowsOf: (list, by, objects, limit) => search(list, by, objects, limit, read(list, 1)),
      everyRow: (list) => everyRow(list, read(list, 1)),
    };
    return then(cost(model, rows), below ? ofType(below, rows * valuesFor([below], items)) : nothing);
  }

  function ofType({ references, embedded, derived }: TypePlan, rows: number, at = `${unnamed++}`): Cost {
    if (rows === 0) return nothing;
    const loads = references.map((place) => {
      const { name, plan, isEmbedded } = place;
      if (plan.needsNothing) return nothing;
      const objects = objectsAt(place, rows);
      const isLoaded = !isEmbedded && isNew(`${at}.${name}`);
      return then(isLoaded ? loadsOf(place, objects) : nothing, below(plan, objects, `${at}.${name}`, name));
    });
    const inside = embedded.map((part) => {
      const { key, plan } = part;
      const place = key === 'edges' ? at : `${at}.${key === 'node' ? 'results' : key}`;
      const objects = objectsAt(part, rows);
      return then(completions(plan, objects, place), below(plan, objects, place));
    });
    return [...loads, ...inside, ...derived.map((each) => ofDerived(each, rows))].reduce(plus, nothing);
  }

  function objectsAt({ name, items }: ReferencePlan | EmbeddedPlan, rows: number): number {
    return othersAt(name ?? '', rows) ?? rows * items;
  }

  /** Loads of the different objects, less those whose known kinds suffice. Answers with one reference each show no repetition. */
  function loadsOf({ name, plan, reference: { to, probeFirst } }: ReferencePlan, all: number): Cost {
    const objects = Math.max(0, all - ((plan.kindSuffices && learnt(`kinds of ${name}`)?.objects) || 0));
    const kinds = contract.union(to)?.kinds ?? [to];
    const known = kinds.filter((kind) => learnt(`${name} ${kind}`));
    // Most ids of a union are of its first kind.
    const loads = (known.length > 0 ? known : [probeFirst ?? kinds[0] ?? to]).map((kind) => {
      const keys = othersAt(`${name} ${kind}`, objects) ?? objects;
      return load(kind, fresh(kind, keys < 1 || learnt(name)?.logReferences ? keys : distinct(kind, keys)));
    });
    return loads.reduce(plus);
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
    if (isListOnly) return keys > 0 && isNew(list) ? scan({ ...search, unread: sizeOf(kind) }) : nothing;
    const getMs = costs.of(contract.getEndpoint(kind)).callMs;
    // Rows refer to the objects of a union on all pages of the list.
    const nextPageShare = contract.unionWith(kind) ? 0 : usualNextPageShare;
    return scan({ ...search, unread: lengthOf(list), getMs, maxPages: maxPagesFor(keys), nextPageShare });
  }

  /** Found by a filter or by a scan. */
  function search(list: ListEndpointName, by: string | undefined, keys: number, limit: number, pages?: number): Cost {
    const isFiltered = by !== undefined && knowledge.list(list).isFilterApplied(by) === true;
    if (pages !== undefined && !isFiltered) return everyRow(list, pages);
    const setting = settingOf(list);
    const unread = Math.min(lengthOf(list) ?? supposedRows, mostRowsOf(setting));
    const getMs = isFiltered ? setting.list.callMs + limit * setting.list.rowMs : undefined;
    return scan({ ...setting, keys, getMs, unread, maxPages: maxPagesFor(keys) });
  }

  /** All rows, or as many pages as traced requests have read. */
  function everyRow(list: ListEndpointName, pages = Number.POSITIVE_INFINITY): Cost {
    const setting = settingOf(list);
    const rows = Math.min(lengthOf(list) ?? supposedRows, mostRowsOf(setting), pages * pageSize);
    const isCounted = lengthOf(list) !== undefined;
    const cost = pathCost(planRange({ ...setting, rows, isCounted, hasReferences: false }).chosen);
    return pages < Number.POSITIVE_INFINITY ? { ...cost, calls: Math.max(cost.calls, pages) } : cost;
  }

  const scan = (search: Parameters<typeof planSearch>[0]) => pathCost(planSearch(search).chosen);

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

  const sizeOf = (kind: Kind) => Math.max(1, lengthOf(contract.listEndpoint(kind)) ?? supposedRows);

  function settingOf(endpoint: ListEndpointName): PlanSetting {
    const { unpaged } = contract.endpoint(endpoint);
    return { list: costs.of(endpoint), pageSize, unpaged, parallelism, scarce, callsLeft };
  }

  const isMutation = roots.some(({ how }) => how === 'write');
  const cost = roots.map(ofRoot).reduce(isMutation ? then : plus, nothing);
  return { calls: Math.round(cost.calls), ms: Math.round(cost.ms + cost.gatewayMs), workMs: Math.round(cost.workMs) };
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
