import type { LRUCache } from 'lru-cache';
import { isObject } from '../lib/json.ts';
import { documentCache } from './document-cache.ts';
import type { Operation } from './executor/operation.ts';
import type { GraphQLHttpRequest } from './http-request.ts';
import type { Variables } from './variables.ts';

/** A valid operation, and the headers of its answer. */
export interface CachedOperation {
  operation: Operation;
  headers: readonly (readonly [string, string])[];
}

/**
 * Operations that have been parsed, validated and answered, by `OperationRequest.key`. A client sends the same few
 * operations again and again. To parse, validate and negotiate takes longer than to run most operations.
 */
export function operationCache(maxCharacters: number): LRUCache<string, CachedOperation> {
  return documentCache(maxCharacters, (_, key) => key.length);
}

export interface OperationRequest {
  /** Names the operation, and the media types that the client takes. */
  key: string;
  variables: Variables | undefined;
}

/** Undefined for a request that Apollo Server may refuse or treat in another way. */
export function operationRequest({ method, body, headers }: GraphQLHttpRequest): OperationRequest | undefined {
  if (method !== 'POST' || !isObject(body)) return undefined;
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string') return undefined;
  if (!isAbsent(operationName) && typeof operationName !== 'string') return undefined;
  if (!isAbsent(variables) && !isObject(variables)) return undefined;
  if (!isAbsent(extensions) && (!isObject(extensions) || 'persistedQuery' in extensions)) return undefined;
  // Encoded as JSON, a name with a line break cannot run into the query. Null differs from an empty name.
  const name = JSON.stringify(operationName ?? null);
  return { key: `${headers.accept ?? ''}\n${name}\n${query}`, variables: variables ?? undefined };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
