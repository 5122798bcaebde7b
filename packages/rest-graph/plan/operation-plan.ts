import { codedError, type ExecutionArgs, type Field, type FieldTree, madeOnce } from '@gateway/base';
import { type Contract, contractOf, type Target } from '@gateway/contract';
import type { Range } from '@gateway/upstream';
import { type FieldNode, GraphQLError, getArgumentValues } from 'graphql';
import { filtersInUse, isWhole, listName } from '../load/lists/filters.ts';
import { spansOf } from '../load/lists/lists.ts';
import type { RequestContext } from '../request/context.ts';
import type { Estimate } from '../request/upstream-report.ts';
import { expectedCost } from './expected-cost.ts';
import { type RootCall, type RootPlan, writesIn } from './root-plan.ts';

/** The plans of the root fields of an operation, and their cost together. */
export interface OperationPlan {
  roots: ReadonlyMap<Field, RootPlan>;
  estimate: Estimate;
  /** Writes with a budget of their own, and their calls. */
  separate: { writes: number; calls: number; requireFew: Extract<RootCall, { how: 'write' }>['requireFew'] };
}

/**
 * Plans an operation. The estimate has the expected cost only where the client asked for the trace.
 * Undefined for an operation that makes no call: without a key, or with a null for @skip or @include.
 * @throws BAD_USER_INPUT for a field below the root that asks for too many rows.
 */
export function planOperation(
  args: ExecutionArgs,
  { caller, errors, limits, reader: { usesCache }, service, trace }: RequestContext,
): OperationPlan | undefined {
  const { pageSize, upstreamCalls } = limits;
  if (caller.key === '' && !trace?.isEstimate) return undefined;
  try {
    // A field that is refused has its error in an estimate too.
    const refuse = ({ key, nodes }: Field, reason: unknown) => {
      if (reason instanceof GraphQLError) errors.addAt([key], nodes, reason);
    };
    const settings = { pageSize, usesCache };
    const plan = trace?.isEstimate ? planRoots(args, settings, refuse) : plannedOnce(args, settings);
    if (!trace?.isShown) return plan;
    const terms = { upstream: service.upstream, caller, callsLeft: upstreamCalls };
    const expected = expectedCost(callsOf(plan.roots), terms);
    return { ...plan, estimate: { ...plan.estimate, expected } };
  } catch (error) {
    if (error instanceof GraphQLError && error.extensions.code === undefined) return undefined;
    throw error;
  }
}

/**
 * Refuses an operation that cannot fit before its first call, rather than cutting it after its last.
 * @throws QUERY_TOO_COMPLEX for more objects than are allowed.
 * @throws BAD_USER_INPUT for more writes with a budget of their own than an operation may have.
 * @throws UPSTREAM_BUDGET_EXCEEDED for more calls than are allowed.
 */
export function requireFits(
  { estimate: { cost, least }, separate }: OperationPlan,
  limits: Pick<RequestContext['service']['limits'], 'cost' | 'upstreamCalls'>,
): void {
  const http = { status: 400 };
  if (cost > limits.cost) {
    const message = `The operation asks for about ${cost} objects; ${limits.cost} are allowed (limits.operations.cost). Ask for fewer rows or levels.`;
    throw codedError('QUERY_TOO_COMPLEX', message, { http });
  }
  separate.requireFew?.(separate.writes, http);
  const fewest = least - separate.calls;
  if (fewest > limits.upstreamCalls) {
    const message = `The operation needs ${fewest} REST calls at least; ${limits.upstreamCalls} are allowed (limits.operations.upstreamCalls).`;
    throw codedError('UPSTREAM_BUDGET_EXCEEDED', message, { http });
  }
}

interface PlanSettings {
  pageSize: number;
  usesCache: boolean;
}

/** `refuse` gets each root field whose arguments are refused, and the reason. */
export function planRoots(
  args: ExecutionArgs,
  { pageSize, usesCache }: PlanSettings,
  refuse?: Parameters<typeof rootPlansOf>[2],
): OperationPlan {
  const roots = rootPlansOf(args, pageSize, refuse);
  const calls = callsOf(roots);
  const contract = contractOf(args.tree.schema);
  const separate: OperationPlan['separate'] = { writes: 0, calls: 0, requireFew: undefined };
  for (const call of calls) {
    for (const derived of call.plan.checked) derived.check?.(pageSize);
    if (call.how !== 'write' || !call.requireFew) continue;
    separate.writes += writesIn(contract, call);
    separate.calls += call.chains.flat().length;
    separate.requireFew = call.requireFew;
  }
  let cost = 0;
  for (const { objects } of roots.values()) cost += objects;
  return { roots, estimate: { least: minCalls(contract, calls, { usesCache }), cost }, separate };
}

function callsOf(roots: OperationPlan['roots']): RootCall[] {
  return [...roots.values()].flatMap(({ calls }) => calls);
}

const constant = { cached: new WeakMap<FieldTree, OperationPlan>(), uncached: new WeakMap<FieldTree, OperationPlan>() };

/** A query without variables is planned once. */
function plannedOnce(args: ExecutionArgs, settings: PlanSettings): OperationPlan {
  const { tree, operation } = args;
  const { variableDefinitions = [], operation: kind } = operation.definition;
  if (variableDefinitions.length > 0 || kind !== 'query') return planRoots(args, settings);
  const plans = constant[settings.usesCache ? 'cached' : 'uncached'];
  return madeOnce(plans, tree, () => planRoots(args, settings));
}

/**
 * The plans of the root fields, each response key once. A field whose arguments are refused has none, and neither has one
 * whose id the service cannot have. `refuse` gets the reason. A mutation with such a field sends nothing at all.
 * @throws GraphQLError for a condition of @skip or @include that is null.
 * @throws BAD_USER_INPUT for a file that two fields send: a file streams, and is there for one write.
 */
export function rootPlansOf(
  { tree, variableValues }: ExecutionArgs,
  maxPageSize: number,
  refuse?: (field: Field, reason: unknown) => void,
): ReadonlyMap<Field, RootPlan> {
  const plans = new Map<Field, RootPlan>();
  const isMutation = tree.definition.operation === 'mutation';
  const files: unknown[] = [];
  let isRefused = false;
  for (const field of tree.fields) {
    const { plan } = field.definition.extensions;
    if (!plan) continue;
    try {
      const args = getArgumentValues(field.definition, field.nodes[0] as FieldNode, variableValues);
      // The value of an Upload is a promise.
      if (isMutation) files.push(...Object.values(args).filter((value) => value instanceof Promise));
      if (typeof args.id === 'string' && !contractOf(tree.schema).isPossibleId(args.id))
        throw new Error('The service cannot have this id.');
      plans.set(field, plan(field, args as never, maxPageSize));
    } catch (reason) {
      // The resolver gives the reason, without a call.
      isRefused = true;
      refuse?.(field, reason);
    }
  }
  if (new Set(files).size < files.length) {
    const message = 'Two fields send the same file. Send a request with the file for each of them.';
    throw codedError('BAD_USER_INPUT', message, { http: { status: 400 } });
  }
  return isRefused && isMutation ? new Map() : plans;
}

/** The gateway answers introspection, its SDL and its own leaves without the service. */
export function callsService({ definition }: Field): boolean {
  return definition.extensions.plan !== undefined;
}

/**
 * The fewest REST calls of an operation: the reads of its root fields, or its writes with the GETs before. Lists are taken for short, references for embedded, and no read for shared with another operation. `usesCache`: the
 * list cache may hold whole lists of kinds without a GET by id.
 */
export function minCalls(contract: Contract, calls: readonly RootCall[], { usesCache = false } = {}): number {
  const writes = calls.flatMap((call) => (call.how === 'write' ? call.chains.flat() : []));
  return writes.length + fewestForLists(contract, calls, usesCache) + fewestForIds(contract, calls, usesCache);
}

function fewestForLists(contract: Contract, calls: readonly RootCall[], usesCache: boolean): number {
  const ranges = new Map<string, Range[]>();
  for (const call of calls) {
    if (call.how !== 'list' && (call.how !== 'look' || call.mayBeKnown)) continue;
    const { filters } = call;
    const endpoint = contract.endpoint(call.endpoint);
    // An endpoint or a filter that the service lacks is refused without a call.
    if (endpoint.dialect || filtersInUse(endpoint, filters).some(([, { dialect }]) => dialect)) continue;
    if (usesCache && endpoint.isCached && isWhole(filters)) continue;
    // Any page of the list has the count, and the count decides where the end is.
    const sure = madeOnce(ranges, listName(call), () => []);
    if (call.how === 'list' && call.needsRows && !call.range.fromEnd)
      sure.push({ offset: call.range.start, limit: call.range.size });
  }
  return [...ranges.values()].reduce((sum, each) => sum + Math.max(1, spansOf(each).length), 0);
}

function fewestForIds(contract: Contract, calls: readonly RootCall[], usesCache: boolean): number {
  const ids = new Map<Target, Set<string>>();
  const add = (target: Target, id?: string) => {
    const known = ids.get(target) ?? new Set();
    ids.set(target, id === undefined ? known : known.add(id));
  };
  const gets = calls.filter((call) => call.how === 'by id');
  for (const { target, ids } of gets) if (!contract.union(target)) for (const id of ids) add(target, id);
  for (const { target, ids: sought } of gets) {
    const { kinds = [] } = contract.union(target) ?? {};
    // A page of a list may hold all of them.
    const kind = kinds.find((each) => contract.isListed(each)) ?? kinds[0];
    if (kind === undefined) continue;
    // The object may be that of the same id which another field reads.
    for (const id of sought) if (!id || !kinds.some((each) => ids.get(each)?.has(id))) add(kind, id);
  }
  const isListRead = (kind: Target) =>
    calls.some((call) => 'endpoint' in call && contract.endpoint(call.endpoint).kind === kind);
  let fewest = 0;
  for (const [kind, { size }] of ids) {
    // The service may lack the endpoint.
    if (contract.isById(kind) && !contract.isAlwaysById(kind)) continue;
    // The list cache may hold the list.
    if (contract.isListOnly(kind)) fewest += usesCache || isListRead(kind) ? 0 : 1;
    // The token may name an object that another field reads.
    else if (!contract.isListed(kind)) fewest += Math.max(1, size);
    // One page of the list may hold all of these objects.
    else if (!isListRead(kind)) fewest += 1;
  }
  return fewest;
}
