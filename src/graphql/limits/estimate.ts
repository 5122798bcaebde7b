import { GraphQLError } from 'graphql';
import { defaultPageSize } from '../../loaders/lists/connection.ts';
import type { WayBackPlan } from '../../loaders/plan.ts';
import type { RootCall, RootPlan } from '../../loaders/root-plan.ts';
import type { Estimate } from '../../observability/upstream-report.ts';
import type { ListEndpointName } from '../../upstream/endpoints.ts';
import type { RequestContext } from '../context.ts';
import { codedError } from '../errors/codes.ts';
import type { FieldTree } from '../executor/field-tree.ts';
import type { ExecutionArgs } from '../executor/operation.ts';
import { expectedCost } from './expected-cost.ts';
import { minCalls } from './min-calls.ts';
import { rootPlansOf } from './root-plans.ts';

/**
 * The calls and objects of an operation. The expected cost only where the client asked for the trace.
 * Undefined for an operation that makes no call: without a key, or with a null for @skip or @include.
 * @throws BAD_USER_INPUT for a field below the root that asks for too many rows.
 */
export function estimateOf(
  args: ExecutionArgs,
  { caller, reader, service, trace }: RequestContext,
): (Estimate & Least) | undefined {
  const { pageSize, upstreamCalls } = service.limits;
  if (!caller.headers.authorization && !trace?.isEstimate) return undefined;
  try {
    const estimate = leastOf(args, reader.usesCache, pageSize);
    if (!trace?.isShown) return estimate;
    const { costs, knowledge } = service.upstream;
    const roots = callsOf(rootPlansOf(args, pageSize));
    const sizeOf = (endpoint: ListEndpointName) => knowledge.lengthOf(caller, endpoint);
    const isApplied = (endpoint: ListEndpointName, filter: string) =>
      knowledge.list(endpoint).isFilterApplied(filter) === true;
    const expected = expectedCost(roots, { costs, callsLeft: upstreamCalls, sizeOf, isApplied });
    return { ...estimate, expected };
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
  { cost, least, separate }: Least,
  limits: Pick<RequestContext['service']['limits'], 'cost' | 'upstreamCalls'>,
): void {
  const http = { status: 400 };
  if (cost > limits.cost) {
    const message = `The operation asks for about ${cost} objects; ${limits.cost} are allowed (limits.operations.cost). Ask for fewer rows or levels.`;
    throw codedError('QUERY_TOO_COMPLEX', message, { http });
  }
  separate.requireFew?.(separate.writes, http);
  const fewest = least - separate.writes;
  if (fewest > limits.upstreamCalls) {
    const message = `The operation needs ${fewest} REST calls at least; ${limits.upstreamCalls} are allowed (limits.operations.upstreamCalls).`;
    throw codedError('UPSTREAM_BUDGET_EXCEEDED', message, { http });
  }
}

type RequireFew = Extract<RootCall, { how: 'write' }>['requireFew'];

interface Least extends Pick<Estimate, 'least' | 'cost'> {
  /** Writes with a budget of their own. */
  separate: { writes: number; requireFew: RequireFew };
}

const constant = { cached: new WeakMap<FieldTree, Least>(), uncached: new WeakMap<FieldTree, Least>() };

export function leastFor(plans: readonly RootPlan[], maxPageSize: number, settings: { usesCache: boolean }): Least {
  const calls = callsOf(plans);
  for (const { plan } of calls) for (const way of plan.limited) requireFewRows(way, maxPageSize);
  let writes = 0;
  let requireFew: RequireFew;
  for (const call of calls) {
    if (call.how !== 'write' || !call.requireFew) continue;
    writes += call.chains.flat().length;
    requireFew = call.requireFew;
  }
  const cost = plans.reduce((sum, { objects }) => sum + objects, 0);
  return { least: minCalls(calls, settings), cost, separate: { writes, requireFew } };
}

function callsOf(plans: readonly RootPlan[]): RootCall[] {
  return plans.flatMap(({ calls }) => calls);
}

/** Computed once for an operation without variables. */
function leastOf(args: ExecutionArgs, usesCache: boolean, maxPageSize: number): Least {
  const { operation, tree } = args;
  const isConstant = !operation.definition.variableDefinitions?.length;
  const before = constant[usesCache ? 'cached' : 'uncached'];
  const known = isConstant ? before.get(tree) : undefined;
  if (known) return known;
  const least = leastFor(rootPlansOf(args, maxPageSize), maxPageSize, { usesCache });
  if (isConstant) before.set(tree, least);
  return least;
}

function requireFewRows({ field, limit }: WayBackPlan, maxPageSize: number): void {
  const { parentType, name, nodes } = field;
  const isTooLarge = limit > Math.max(maxPageSize, defaultPageSize);
  if (limit >= 0 && !isTooLarge) return;
  const bound = isTooLarge ? `can be ${maxPageSize} at most (limits.operations.pageSize)` : 'cannot be negative';
  const message = `\`limit\` of ${parentType.name}.${name} ${bound}.`;
  const fields = [{ path: [name, 'limit'], message }];
  throw codedError('BAD_USER_INPUT', message, { fields, nodes, http: { status: 400 } });
}
