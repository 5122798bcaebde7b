import { LRUCache } from 'lru-cache';
import { isObject } from '../lib/json.ts';
import type { ValidOperation } from './operation.ts';

/** Of documents that are kept: their number, and the length of their text. */
export const maxDocuments = 2_000;
export const maxDocumentsLength = 1024 * 1024;

/** An operation that Apollo Server has answered before, and the headers that it gave the answer. */
export interface CachedOperation extends ValidOperation {
  headers: readonly [string, string][];
}

/** What a POST asks for. */
export interface OperationRequest {
  /** Names the operation, and the media types that the client takes. */
  key: string;
  variables: Record<string, unknown> | undefined;
}

/**
 * Operations that have been parsed, validated and answered, by what their requests have in common. A client sends the
 * same few operations again and again, and reading, checking and negotiating them anew takes longer than running them.
 */
export class OperationCache {
  readonly #operations = new LRUCache<string, CachedOperation>({
    max: maxDocuments,
    maxSize: maxDocumentsLength,
    sizeCalculation: (_, key) => key.length,
  });

  get(key: string): CachedOperation | undefined {
    return this.#operations.get(key);
  }

  add(key: string, operation: CachedOperation): void {
    this.#operations.set(key, operation);
  }
}

/** Undefined for a body with anything in it that Apollo Server would remark on, or that changes what it does. */
export function operationRequest(body: unknown, accept: string | undefined): OperationRequest | undefined {
  if (!isObject(body)) return undefined;
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string') return undefined;
  if (!isAbsent(operationName) && typeof operationName !== 'string') return undefined;
  if (!isAbsent(variables) && !isObject(variables)) return undefined;
  if (!isAbsent(extensions) && (!isObject(extensions) || 'persistedQuery' in extensions)) return undefined;
  // As JSON a name ends where it ends, whatever it holds, and no name is not an empty one.
  const name = JSON.stringify(operationName ?? null);
  return { key: `${accept ?? ''}\n${name}\n${query}`, variables: variables ?? undefined };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
