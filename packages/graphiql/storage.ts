import type { GraphiQLProps } from 'graphiql';

const HISTORY_KEYS = new Set(['graphiql:queries', 'graphiql:favorites']);

/**
 * localStorage for GraphiQL, with history entries without their request headers. GraphiQL stores these headers even when
 * `shouldPersistHeaders` is false. An API key in the headers editor would stay on disk.
 */
export const storageWithoutHeaders: NonNullable<GraphiQLProps['storage']> = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, HISTORY_KEYS.has(key) ? withoutHeaders(value) : value),
  removeItem: (key) => localStorage.removeItem(key),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length;
  },
};

/** `entries` is the JSON text `{ [name]: { query, variables, headers }[] }`, where all three are text. */
function withoutHeaders(entries: string): string {
  return JSON.stringify(JSON.parse(entries), (name, value) => (name === 'headers' ? null : value));
}
