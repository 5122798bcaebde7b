import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { parseAndCheckHttpResponse } from '@apollo/client/link/http';
import { relayStylePagination } from '@apollo/client/utilities';
import { print } from 'graphql';
import { from } from 'rxjs';
import { gatewayUrl } from './gateway.ts';
import possibleTypes from './gql/possible-types.ts';
import { fileOf, formOf, sendForm } from './send-form.ts';

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
export function createApollo(authorization: string, url = gatewayUrl): ApolloClient {
  const http = new HttpLink({ uri: url, headers: { authorization } });
  const upload = new ApolloLink((operation) => {
    const { operationName, query, variables } = operation;
    const { headers, onProgress, signal } = operation.getContext();
    const form = formOf({ operationName, query: print(query), variables });
    const answer = sendForm(url, form, { headers: { authorization, ...headers }, onProgress, signal });
    return from(answer.then(parseAndCheckHttpResponse(operation)));
  });
  return new ApolloClient({
    link: ApolloLink.split(({ variables }) => fileOf(variables) !== undefined, upload, http),
    cache: new InMemoryCache({
      possibleTypes: possibleTypes.possibleTypes,
      typePolicies: { Query: { fields: { farmers: relayStylePagination() } } },
    }),
    // A failed field leaves the rest of the answer: screens show both.
    defaultOptions: { watchQuery: { errorPolicy: 'all' }, mutate: { errorPolicy: 'all' } },
  });
}
