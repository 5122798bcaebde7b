import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { headers } from '../gateway.ts';
import { type App, keyHeader, possibleTypes } from './app.ts';
import { documents } from './documents.ts';
import { cacheOptions } from './urql.ts';

interface Connection {
  pageInfo?: { endCursor: string | null };
}

export function startApp(url: string): App {
  let optimistic: Record<string, object> = {};
  const mutations = Object.keys(documents).filter((name) => /^(create|update|upload|push)/.test(name));
  const client = new Client({
    url,
    fetchOptions: { headers: { ...headers, 'apollo-require-preflight': 'true' } },
    preferGetMethod: false,
    exchanges: [
      cacheExchange({
        ...cacheOptions(mutations, possibleTypes),
        // Without the whole schema, it warns of each fragment of a push that is on another type.
        logger: () => {},
        optimistic: { createFarmer: () => optimistic.createFarmer as never },
      }),
      fetchExchange,
    ],
  });
  return {
    async open(document, variables) {
      await client.query(documents[document], variables);
      let shown: unknown;
      let current = { unsubscribe() {} };
      const show = (page: object) => {
        current.unsubscribe();
        current = client.query(documents[document], page).subscribe((result) => {
          shown = result.data;
        });
      };
      show(variables);
      return {
        data: () => shown,
        async more() {
          const [list]: (Connection | undefined)[] = Object.values(shown ?? {});
          const next = { ...variables, after: list?.pageInfo?.endCursor };
          await client.query(documents[document], next);
          show(next);
        },
        close: () => current.unsubscribe(),
      };
    },
    async write(document, variables, { optimistic: shown = {}, ...options } = {}) {
      optimistic = shown;
      await client.mutation(documents[document], variables, {
        fetchOptions: { headers: { ...headers, 'apollo-require-preflight': 'true', ...keyHeader(options) } },
      });
    },
  };
}
