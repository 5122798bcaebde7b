import { isObject } from '../lib/json.ts';
import type { GraphQLHttpRequest } from './http-request.ts';
import type { Variables } from './variables.ts';

export interface OperationRequest {
  /** The text of the document. */
  text: string;
  operationName: string | null | undefined;
  variables: Variables | undefined;
}

/** Undefined for a request that Apollo Server may refuse or treat in another way. */
export function operationRequest({ method, body }: GraphQLHttpRequest): OperationRequest | undefined {
  if (method !== 'POST' || !isObject(body)) return undefined;
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string') return undefined;
  if (!isAbsent(operationName) && typeof operationName !== 'string') return undefined;
  if (!isAbsent(variables) && !isObject(variables)) return undefined;
  if (!isAbsent(extensions) && (!isObject(extensions) || 'persistedQuery' in extensions)) return undefined;
  return { text: query, operationName, variables: variables ?? undefined };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
