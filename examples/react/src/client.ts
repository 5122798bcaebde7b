import { ApolloClient, ApolloLink, HttpLink } from '@apollo/client';
import { createCache, placeCreated } from './cache/apollo.ts';
import possibleTypes from './gql/possible-types.ts';
import { hasFile, uploadLink } from './upload-link.ts';

declare module '@apollo/client' {
  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'all';
      }
      interface Mutate {
        errorPolicy: 'all';
      }
    }
  }
}

/** A client for one API key, with its own cache: no caller sees what another one has read. */
export function createClient(apiKey: string): ApolloClient {
  const options = { uri: '/graphql', headers: { authorization: apiKey } };
  return new ApolloClient({
    link: ApolloLink.split(hasFile, uploadLink(options), new HttpLink(options)),
    // Without possibleTypes, a fragment on the interface Entity would match nothing in the cache.
    cache: createCache(possibleTypes.possibleTypes),
    // A failed field leaves the rest of the answer: pages show both.
    defaultOptions: { watchQuery: { errorPolicy: 'all' }, mutate: { errorPolicy: 'all', update: placeCreated() } },
  });
}
