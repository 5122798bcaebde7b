import { ApolloLink } from '@apollo/client';
import { parseAndCheckHttpResponse } from '@apollo/client/link/http';
import { print } from 'graphql';
import { from } from 'rxjs';

type Operation = ApolloLink.Operation;

const fileOf = ({ variables }: Operation) => Object.entries(variables).find(([, value]) => value instanceof File);

export const hasFile = (operation: Operation) => fileOf(operation) !== undefined;

/** Sends an operation with one file, as the GraphQL multipart request specification says. */
export function uploadLink({ uri, headers }: { uri: string; headers: Record<string, string> }): ApolloLink {
  return new ApolloLink((operation) => {
    const { operationName, query, variables } = operation;
    const [name, file] = fileOf(operation) ?? [];
    const form = new FormData();
    const withoutFile = { operationName, query: print(query), variables: { ...variables, [`${name}`]: null } };
    form.append('operations', JSON.stringify(withoutFile));
    form.append('map', JSON.stringify({ 0: [`variables.${name}`] }));
    form.append('0', file);
    const response = fetch(uri, {
      method: 'POST',
      headers: {
        accept: 'application/graphql-response+json, application/json',
        // The gateway refuses forms without this header, because any site can make a browser post one.
        'apollo-require-preflight': 'true',
        ...headers,
        ...operation.getContext().headers,
      },
      body: form,
    });
    return from(response.then(parseAndCheckHttpResponse(operation)));
  });
}
