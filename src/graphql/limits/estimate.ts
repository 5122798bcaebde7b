import { GraphQLError } from 'graphql';
import type { Estimate } from '../../observability/upstream-report.ts';
import { requireFewWrites } from '../../resolvers/push/plan.ts';
import type { ListEndpointName } from '../../upstream/endpoints.ts';
import type { RequestContext } from '../context.ts';
import { codedError } from '../errors/codes.ts';
import type { FieldTree } from '../executor/field-tree.ts';
import type { ExecutionArgs } from '../executor/operation.ts';
import { costOf } from './cost.ts';
import { expectedCost } from './expected-cost.ts';
import { minCalls } from './min-calls.ts';
import { pushedChains, type RootCall, rootCallsOf } from './root-calls.ts';

/**
 * The calls and objects of an operation. The expected cost only where the client asked for the trace.
 * Undefined for an operation that makes no call: without a key, or with a null for @skip or @include.
 * @throws BAD_USER_INPUT for a field below the root that asks for too many rows.
 */
export function estimateOf(
  args: ExecutionArgs,
  { caller, calls, service, trace }: RequestContext,
): (Estimate & Least) | undefined {
  const { pageSize, upstreamCalls } = service.limits;
  if (!caller.headers.authorization && !trace?.isEstimate) return undefined;
  try {
    const estimate = leastOf(args, calls.usesCache, pageSize);
    if (!trace?.isShown) return estimate;
    const { costs, knowledge } = service.upstream;
    const roots = rootCallsOf(args, pageSize);
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
 * @throws BAD_USER_INPUT for several pushes with more writes than one may have.
 * @throws UPSTREAM_BUDGET_EXCEEDED for more calls than are allowed.
 */
export function requireFits(
  { cost, least, pushed }: Least,
  limits: Pick<RequestContext['service']['limits'], 'cost' | 'upstreamCalls'>,
): void {
  const http = { status: 400 };
  if (cost > limits.cost) {
    const message = `The operation asks for about ${cost} objects; ${limits.cost} are allowed (limits.operations.cost). Ask for fewer rows or levels.`;
    throw codedError('QUERY_TOO_COMPLEX', message, { http });
  }
  requireFewWrites(pushed, http);
  const fewest = least - pushed;
  if (fewest > limits.upstreamCalls) {
    const message = `The operation needs ${fewest} REST calls at least; ${limits.upstreamCalls} are allowed (limits.operations.upstreamCalls).`;
    throw codedError('UPSTREAM_BUDGET_EXCEEDED', message, { http });
  }
}

interface Least extends Pick<Estimate, 'least' | 'cost'> {
  /** Writes of a push, which each have a call of their own. */
  pushed: number;
}

const constant = { cached: new WeakMap<FieldTree, Least>(), uncached: new WeakMap<FieldTree, Least>() };

export function leastFor(
  calls: readonly RootCall[],
  maxPageSize: number,
  { usesCache }: { usesCache: boolean },
): Least {
  return {
    least: minCalls(calls, { usesCache }),
    cost: costOf(calls, maxPageSize),
    pushed: pushedChains(calls).flat().length,
  };
}

/** Computed once for an operation without variables. */
function leastOf(args: ExecutionArgs, usesCache: boolean, maxPageSize: number): Least {
  const { operation, tree } = args;
  const isConstant = !operation.definition.variableDefinitions?.length;
  const before = constant[usesCache ? 'cached' : 'uncached'];
  const known = isConstant ? before.get(tree) : undefined;
  if (known) return known;
  const calls = rootCallsOf(args, maxPageSize);
  const least = leastFor(calls, maxPageSize, { usesCache });
  if (isConstant) before.set(tree, least);
  return least;
}
