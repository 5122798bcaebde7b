import { ApolloClient, ApolloLink } from '@apollo/client';
import { parse, print } from 'graphql';
import { from } from 'rxjs';
import { createCache, placeCreated } from './apollo.ts';
import { type App, keyHeader, possibleTypes, send } from './app.ts';
import { documents } from './documents.ts';

interface Connection {
  pageInfo?: { endCursor: string | null };
}

export function startApp(url: string): App {
  const client = new ApolloClient({
    link: new ApolloLink(({ query, variables, getContext }) =>
      from(send(url, print(query), variables, getContext().headers)),
    ),
    cache: createCache(possibleTypes),
    defaultOptions: { mutate: { update: placeCreated() } },
  });
  return {
    async open(document, variables) {
      const query = parse(documents[document]);
      await client.query({ query, variables });
      const page = client.watchQuery({ query, variables });
      const shown = page.subscribe({});
      const data = () => page.getCurrentResult().data;
      return {
        data,
        async more() {
          const [list]: (Connection | undefined)[] = Object.values(data() ?? {});
          await page.fetchMore({ variables: { after: list?.pageInfo?.endCursor } });
        },
        close: () => shown.unsubscribe(),
      };
    },
    async write(document, variables, { optimistic, ...options } = {}) {
      await client.mutate({
        mutation: parse(documents[document]),
        variables,
        // With the policy `none`, an error beside the data would keep what is written out of the cache.
        errorPolicy: 'all',
        context: { headers: keyHeader(options) },
        ...(optimistic && { optimisticResponse: optimistic }),
      });
    },
  };
}
