import { type Caller, madeOnce } from '@gateway/base';
import type { EndpointName, Kind, ListEndpointName, Target } from '@gateway/contract';
import { gatewayCost, pageSize, type Range, type Upstream, usualNextPageShare } from '@gateway/upstream';
import { argumentsOf } from '../graph/derived.ts';
import { isWhole, listName } from '../load/lists/filters.ts';
import { maxPagesFor } from '../load/lists/id-search.ts';
import { spansOf } from '../load/lists/lists.ts';
import { mostRowsOf } from '../load/lists/look.ts';
import type { EstimatedCost } from '../request/upstream-report.ts';
import { othersOf } from './fan-out.ts';
import type { CostModel, DerivedPlan, Plan, ReferencePlan, TypePlan } from './plan.ts';
import { type AccessPath, type Cost, planRange, planSearch, type Search, supposedRows } from './planner.ts';
import { type ListCall, type RootCall, writesIn } from './root-plan.ts';

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
  const known = knowledge.find(caller);
  const learnt = (name: string) => known?.fanOuts.get(name);
  const othersAt = (name: string, count: number) => othersOf(learnt(name), count);

  /** Rows of a whole list, as far as the gateway knows. */
  const lengthOf = (endpoint: ListEndpointName) => known?.lengthOf(endpoint);
  const sizeOf = (kind: Kind) => Math.max(1, lengthOf(contract.listEndpoint(kind)) ?? supposedRows);
  const all = { pageSize, callsLeft, parallelism: costs.parallelism, scarce: costs.scarce };
  const settingOf = (of: ListEndpointName) => ({ ...all, list: costs.of(of), unpaged: contract.endpoint(of).unpaged });
  const mostRowsIn = (list: ListEndpointName) => Math.min(lengthOf(list) ?? supposedRows, mostRowsOf(settingOf(list)));

  /** Costs that overlap in time. The service shares its workers among them. */
  function plus(a: Cost, b: Cost): Cost {
    const inTurn = then(a, b);
    return { ...inTurn, ms: Math.max(a.ms, b.ms, inTurn.workMs / costs.parallelism) };
  }

  function ofRoot(call: RootCall): Cost {
    const { plan } = call;
    if (call.how === 'write') {
      const chains = call.chains.map((chain) => chain.map((name) => callsOf(name)).reduce(then, nothing));
      return then(chains.reduce(plus, nothing), below(plan, writesIn(contract, call)));
    }
    if (call.how === 'by id') {
      const kinds = call.ids.map((id) => kindOf(call.target, id));
      return then(kinds.map(loadAsked).reduce(plus, nothing), below(plan, call.ids.length, `${kinds} ${call.ids}`));
    }
    if (call.how === 'look')
      return then(everyRow(call.endpoint, listName(call)), below(plan, valuesFor(plan.byType.values(), call.objects)));
    const { start, size, fromEnd } = call.range;
    const ranges = rangesOf(call);
    const pages = further(`ranges of ${listName(call)}`, 1) ? ranges : { ...nothing, ms: ranges.ms };
    const { rows = 0 } = call.needsRows ? rangeOf(call, { offset: start, limit: size }) : {};
    return then(pages, below(plan, rows, `${listName(call)} ${fromEnd} ${start}`));
  }

  /** The ranges of a list that root fields show, joined as they are read. Any page has the count, which shows where the end is. */
  function rangesOf(call: ListCall): Cost {
    const ranges = roots.flatMap((root) => {
      if (root.how !== 'list' || !root.needsRows || listName(root) !== listName(call)) return [];
      const { start, size, fromEnd } = root.range;
      return { offset: fromEnd ? -size - 1 : start, limit: size };
    });
    for (const { offset, limit } of ranges) if (offset === 0) further(listName(call), limit);
    const count = ranges.some(({ offset }) => offset >= 0) ? nothing : callsOf(call.endpoint);
    const pages = spansOf(ranges).map((span) => pathCost(rangeOf(call, span).chosen));
    return then(count, pages.reduce(plus, nothing));
  }

  function rangeOf({ endpoint, filters, list: { hasReferences } }: ListCall, { offset, limit }: Range) {
    const length = isWhole(filters) ? lengthOf(endpoint) : undefined;
    const rows = Math.max(1, Math.min(limit, (length ?? Number.POSITIVE_INFINITY) - offset));
    return planRange({ ...settingOf(endpoint), rows, isCounted: length !== undefined, hasReferences });
  }

  /** The kind that the caller has seen of an object of a union. */
  const kindOf = (target: Target, id = '') => (contract.union(target) && known?.kindOf(target, id)) ?? target;

  /** Objects that root fields ask for by id load together. */
  function loadAsked(kind: Target): Cost {
    const gets = roots.filter((root) => root.how === 'by id');
    const ids = new Set(gets.flatMap(({ target, ids }) => ids.filter((id) => kindOf(target, id) === kind)));
    return further(kind, 1) ? load(contract.union(kind)?.kinds[0] ?? kind, ids.size) : nothing;
  }

  let counted = new Map<string, number>();
  /** Counts objects at a place, or rows of a list from the first one on. Returns how many of them were not counted before. */
  function further(place: string, objects: number): number {
    const before = counted.get(place) ?? 0;
    counted.set(place, Math.max(before, objects));
    return Math.max(0, objects - before);
  }
  let unnamed = 0;
  /** Objects that each place loads. It loads once, though edges show the rows of the results, and aliases show a field. */
  const loaded = new Map<Kind, Map<string, number>>();

  /** The cost below `rows` objects: of the kinds learnt for their place, or of the type that costs most alone. `at`: a new place by default. */
  function below({ byType }: Plan, rows: number, at?: string, name = ''): Cost {
    const ofKind = (kind: string) => learnt(`${name} ${kind}`)?.references ?? 0;
    const all = [...byType.keys()].reduce((sum, kind) => sum + ofKind(kind), 0);
    if (all > 0) return [...byType].map(([kind, each]) => ofType(each, (rows * ofKind(kind)) / all, at)).reduce(plus);
    const before = counted;
    let most = { cost: nothing, counted };
    for (const each of byType.values()) {
      counted = new Map(before);
      const cost = ofType(each, rows, at);
      if (cost.workMs > most.cost.workMs) most = { cost, counted };
    }
    counted = most.counted;
    return most.cost;
  }

  /** Objects that no place of the operation has loaded before. Those of the place with the most are different. */
  function fresh(kind: Kind, objects: number, at = `${unnamed++}`): number {
    const { references, objects: of } = learnt(kind) ?? { references: 1, objects: 1 };
    const places = madeOnce(loaded, kind, () => new Map<string, number>());
    const most = () => Math.max(0, ...places.values());
    const all = () => [...places.values()].reduce((sum, each) => sum + each, 0);
    const different = () => most() + (references / of) * (all() - most());
    const before = different();
    places.set(at, Math.max(objects, places.get(at) ?? 0));
    return different() - before;
  }

  /** One value shows the objects, where the lengths of its lists are learnt. */
  function valuesFor(plans: Iterable<TypePlan>, objects: number): number {
    const lists = [...plans].flatMap(({ embedded }) => embedded);
    return lists.every(({ name = '' }) => learnt(name)) ? Math.min(1, objects) : objects;
  }

  /** A derived field reads as much as traced requests have read for it, or as it supposes. */
  function ofDerived({ field, name, below, items, cost }: DerivedPlan, rows: number): Cost {
    const read = (of: string, count: number) => othersAt(`${name} ${of}`, count);
    const given = Object.entries(argumentsOf(field)).filter(([, value]) => value != null);
    const listOf = (list: ListEndpointName) =>
      [list, ...given.filter(([name]) => contract.endpoint(list).filterChecks?.[name])].join(' ');
    const model: CostModel = {
      objects(kind, waves) {
        const all = read(kind, rows) ?? (learnt(name) && 0);
        const supposed = waves.reduce((sum, keys) => sum + keys, 0);
        const keysOf = (keys: number) => (all === undefined ? distinct(kind, keys) : (all * keys) / supposed);
        return waves.map((keys) => load(kind, fresh(kind, keysOf(keys)))).reduce(then, nothing);
      },
      everyRow: (list) => everyRow(list, listOf(list), read(list, 1)),
      rowsOf(list, by, keys, limit) {
        const isFiltered = by !== undefined && knowledge.list(list).isFilterApplied(by) === true;
        if (!isFiltered && read(list, 1) !== undefined) return model.everyRow(list);
        const setting = settingOf(list);
        const getMs = isFiltered ? setting.list.callMs + limit * setting.list.rowMs : undefined;
        const search = { ...setting, keys, getMs, maxPages: maxPagesFor(keys) };
        return scan(listOf(list), search, mostRowsIn(list));
      },
    };
    return then(cost(model, rows), below ? ofType(below, rows * valuesFor([below], items)) : nothing);
  }

  function ofType({ references, embedded, derived }: TypePlan, rows: number, at = `${unnamed++}`): Cost {
    if (rows === 0) return nothing;
    const loads = references.map((place) => {
      const { name, items, plan, isEmbedded } = place;
      if (plan.needsNothing) return nothing;
      const objects = othersAt(name, rows) ?? rows * items;
      const loads = isEmbedded ? nothing : loadsOf(place, objects, `${at}.${name}`);
      return then(loads, below(plan, objects, `${at}.${name}`, name));
    });
    const inside = embedded.map(({ name = '', key, items, plan }) => {
      const place = key === 'edges' ? at : `${at}.${key === 'node' ? 'results' : key}`;
      const objects = othersAt(name, rows) ?? rows * items;
      const [{ lacking } = {}] = plan.byType.values();
      const completed = lacking ? callsOf(contract.getEndpoint(lacking), further(place, objects)) : nothing;
      return then(completed, below(plan, objects, place));
    });
    return [...loads, ...inside, ...derived.map((each) => ofDerived(each, rows))].reduce(plus, nothing);
  }

  /** Loads of the different objects, less those whose known kinds suffice. Answers with one reference each show no repetition. */
  function loadsOf({ name, plan, reference: { to, probeFirst } }: ReferencePlan, all: number, at: string): Cost {
    const objects = Math.max(0, all - ((plan.kindSuffices && learnt(`kinds of ${name}`)?.objects) || 0));
    const kinds = contract.union(to)?.kinds ?? [to];
    const known = kinds.filter((kind) => learnt(`${name} ${kind}`));
    // Most ids of a union are of its first kind.
    const loads = (known.length > 0 ? known : [probeFirst ?? kinds[0] ?? to]).map((kind) => {
      const keys = othersAt(`${name} ${kind}`, objects) ?? objects;
      return load(kind, fresh(kind, keys < 1 || learnt(name)?.logReferences ? keys : distinct(kind, keys), at));
    });
    return loads.reduce(plus);
  }

  function load(kind: Kind, keys: number): Cost {
    const isListOnly = contract.isListOnly(kind);
    if (!isListOnly && (!contract.isListed(kind) || keys < 2))
      return contract.isById(kind) ? callsOf(contract.getEndpoint(kind), keys) : nothing;
    const list = contract.listEndpoint(kind);
    const search = { ...settingOf(list), keys };
    if (isListOnly) return keys > 0 ? scan(list, search, sizeOf(kind), sizeOf(kind)) : nothing;
    const getMs = costs.of(contract.getEndpoint(kind)).callMs;
    // Rows refer to the objects of a union on all pages of the list.
    const nextPageShare = contract.unionWith(kind) ? 0 : usualNextPageShare;
    return scan(list, { ...search, getMs, maxPages: maxPagesFor(keys), nextPageShare }, lengthOf(list));
  }

  /** All rows, or as many pages as traced requests have read, in waves of pages. */
  function everyRow(list: ListEndpointName, name: string, pages = 0): Cost {
    const setting = settingOf(list);
    const rows = Math.max(1, Math.min(mostRowsIn(list), (pages || Number.POSITIVE_INFINITY) * pageSize));
    const rest = further(name, rows);
    let cost = nothing;
    for (let [unread, rowsOfWave] = [rest || rows, 0]; unread > 0; unread -= rowsOfWave) {
      // The first page shows the length.
      const isCounted = unread < rows || setting.unpaged || lengthOf(list) !== undefined;
      const { chosen } = planSearch({ ...setting, keys: pageSize, rowsOfWave, unread: isCounted ? unread : undefined });
      cost = then(cost, pathCost(chosen, chosen.width / chosen.pages));
      rowsOfWave = chosen.width * chosen.size;
    }
    return rest > 0 ? { ...cost, calls: Math.max(cost.calls, (pages * rest) / rows) } : { ...nothing, ms: cost.ms };
  }

  /** A search behind the rows that are read. `end`: reads up to this row, by default to the last of its pages. */
  function scan(list: string, search: Omit<Search, 'unread'>, rows?: number, end?: number): Cost {
    const read = counted.get(list) ?? 0;
    if (search.getMs === undefined && read >= (rows ?? read + 1)) return nothing;
    const { chosen } = planSearch({ ...search, unread: rows && Math.max(1, rows - read) });
    further(list, end ?? read + chosen.pages * pageSize);
    return pathCost(chosen);
  }

  /** Calls side by side, without rows that matter. */
  function callsOf(endpoint: EndpointName, count = 1): Cost {
    const { callMs } = costs.of(endpoint);
    const rounds = Math.ceil(count / Math.max(1, Math.round(costs.parallelism)));
    return { calls: count, ms: rounds * callMs, workMs: count * callMs, gatewayMs: count * gatewayCost.callMs };
  }

  function distinct(kind: Kind, keys: number): number {
    if (!contract.isListed(kind) && !contract.isListOnly(kind)) return Math.round(Math.sqrt(keys));
    const size = sizeOf(kind);
    return Math.max(1, Math.round(size * (1 - (1 - 1 / size) ** keys)));
  }

  const cost = roots.map(ofRoot).reduce(roots.some(({ how }) => how === 'write') ? then : plus, nothing);
  return { calls: Math.round(cost.calls), ms: Math.round(cost.ms + cost.gatewayMs), workMs: Math.round(cost.workMs) };
}

/** Costs of which one waits for the other. */
function then(a: Cost, b: Cost): Cost {
  const [calls, ms] = [a.calls + b.calls, a.ms + b.ms];
  return { calls, ms, workMs: a.workMs + b.workMs, gatewayMs: a.gatewayMs + b.gatewayMs };
}

function pathCost({ gets, pages, ms, workMs, gatewayMs }: AccessPath, share = 1): Cost {
  return { calls: share * (gets + pages), ms: share * ms, workMs: share * workMs, gatewayMs: share * gatewayMs };
}
