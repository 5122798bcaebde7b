import type { GraphiQLProps } from 'graphiql';

const HISTORY_KEYS = new Set(['graphiql:queries', 'graphiql:favorites']);

/**
 * localStorage for GraphiQL, except that history entries are written without their request headers: GraphiQL stores
 * them whatever `shouldPersistHeaders` says, and an API key would stay on disk. Entries that come back get
 * `defaultHeaders`, because picking an entry without headers empties the headers editor.
 */
export function storageWithoutHeaders(defaultHeaders: string): GraphiQLProps['storage'] {
  return {
    getItem(key) {
      const value = localStorage.getItem(key);
      return value && HISTORY_KEYS.has(key) ? withHeaders(value, defaultHeaders) : value;
    },
    setItem(key, value) {
      localStorage.setItem(key, HISTORY_KEYS.has(key) ? withHeaders(value, null) : value);
    },
    removeItem: (key) => localStorage.removeItem(key),
    clear: () => localStorage.clear(),
    get length() {
      return localStorage.length;
    },
  };
}

/** `entries` is the JSON text `{ [name]: { query, variables, headers }[] }`, where `query` and `variables` are text. */
function withHeaders(entries: string, headers: string | null): string {
  return JSON.stringify(JSON.parse(entries), (name, value) => (name === 'headers' ? headers : value));
}
