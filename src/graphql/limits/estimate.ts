import { GraphQLError, type OperationDefinitionNode } from 'graphql';
import type { Estimate } from '../../observability/upstream-trace.ts';
import type { Context } from '../context.ts';
import { codedError } from '../errors/codes.ts';
import { type ReadyOperation, rootFieldsOf } from '../root-calls.ts';
import { costOf } from './cost.ts';
import { maxCalls } from './max-calls.ts';
import { minCalls } from './min-calls.ts';

/**
 * What an operation will take; `most` only where somebody wants to see it. Undefined where nothing will be asked: without
 * a key, or where a condition is null, which is an error of its field.
 */
export function estimateOf(ready: ReadyOperation, context: Context): Estimate | undefined {
  const { caller, usesCache: mayUseKept, service, trace } = context;
  if (!caller.headers.authorization) return undefined;
  try {
    const { least, cost } = leastOf(ready, mayUseKept);
    const most = trace ? Math.min(maxCalls(ready), service.maxUpstreamCalls) : least;
    return { least, most: Math.max(least, most), cost };
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/**
 * An operation that cannot fit is refused before its first call, rather than cut after its last.
 * @throws UPSTREAM_BUDGET_EXCEEDED
 */
export function requireBudget({ least }: Estimate, maxUpstreamCalls: number): void {
  if (least <= maxUpstreamCalls) return;
  const message = `The operation needs ${least} REST calls at least; ${maxUpstreamCalls} are allowed.`;
  throw codedError('UPSTREAM_BUDGET_EXCEEDED', message, { http: { status: 400 } });
}

type Least = Pick<Estimate, 'least' | 'cost'>;

const known = {
  kept: new WeakMap<OperationDefinitionNode, Least>(),
  fresh: new WeakMap<OperationDefinitionNode, Least>(),
};

/** Found out once for an operation without variables. */
function leastOf(ready: ReadyOperation, keepsCatalogs: boolean): Least {
  const { operation } = ready;
  const before = known[keepsCatalogs ? 'kept' : 'fresh'];
  const isConstant = !operation.variableDefinitions?.length;
  const found = isConstant ? before.get(operation) : undefined;
  if (found) return found;
  const fields = rootFieldsOf(ready);
  const least = { least: minCalls(ready, { keepsCatalogs, fields }), cost: costOf(ready, fields) };
  if (isConstant) before.set(operation, least);
  return least;
}
