import { GraphQLError, type OperationDefinitionNode } from 'graphql';
import type { Context } from './context.ts';
import { codedError } from './errors.ts';
import { fewestCalls } from './fewest-calls.ts';
import { mostCalls } from './most-calls.ts';
import type { ReadyOperation } from './root-calls.ts';
import type { CallEstimate } from './trace.ts';

/**
 * The fewest and the most calls that an operation can take; `most` only where somebody wants to see it. Undefined where
 * nothing will be asked: without a key, or where a condition is null, which is an error of its field.
 */
export function estimateCalls(ready: ReadyOperation, context: Context): CallEstimate | undefined {
  const { caller, mayUseKept, service, trace } = context;
  if (!caller.headers.authorization) return undefined;
  try {
    const least = leastCalls(ready, mayUseKept);
    const most = trace ? Math.min(mostCalls(ready), service.maxUpstreamCalls) : least;
    return { least, most: Math.max(least, most) };
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/**
 * An operation that cannot fit is refused before its first call, rather than cut after its last.
 * @throws UPSTREAM_BUDGET_EXCEEDED
 */
export function requireBudget({ least }: CallEstimate, maxUpstreamCalls: number): void {
  if (least <= maxUpstreamCalls) return;
  const message = `The operation needs ${least} REST calls at least; ${maxUpstreamCalls} are allowed.`;
  throw codedError('UPSTREAM_BUDGET_EXCEEDED', message, { http: { status: 400 } });
}

const known = {
  kept: new WeakMap<OperationDefinitionNode, number>(),
  fresh: new WeakMap<OperationDefinitionNode, number>(),
};

/** Counted once for an operation without variables. */
function leastCalls(ready: ReadyOperation, keepsCatalogs: boolean): number {
  const { operation } = ready;
  if (operation.variableDefinitions?.length) return fewestCalls(ready, { keepsCatalogs });
  const counts = known[keepsCatalogs ? 'kept' : 'fresh'];
  const least = counts.get(operation) ?? fewestCalls(ready, { keepsCatalogs });
  counts.set(operation, least);
  return least;
}
