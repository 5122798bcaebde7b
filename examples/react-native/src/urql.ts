import {
  Client,
  cacheExchange,
  type Exchange,
  fetchExchange,
  makeErrorResult,
  makeResult,
  type Operation,
} from '@urql/core';
import { print } from 'graphql';
import { filter, fromPromise, merge, mergeMap, pipe } from 'wonka';
import { gatewayUrl } from './gateway.ts';
import { fileOf, formOf, sendForm } from './send-form.ts';

const hasFile = ({ kind, variables }: Operation) => kind === 'mutation' && fileOf(variables ?? {}) !== undefined;

async function upload(operation: Operation) {
  const { fetchOptions, url } = operation.context;
  const { headers = {} } = typeof fetchOptions === 'function' ? fetchOptions() : (fetchOptions ?? {});
  const form = formOf({ query: print(operation.query), variables: operation.variables ?? {} });
  try {
    const response = await sendForm(url, form, { headers: headers as Record<string, string> });
    return makeResult(operation, await response.json(), response);
  } catch (error) {
    return makeErrorResult(operation, error as Error);
  }
}

/** Sends mutations with a file of the device. Stands before `fetchExchange`. */
const uploadExchange: Exchange =
  ({ forward }) =>
  (operations) =>
    merge([
      pipe(
        operations,
        filter(hasFile),
        mergeMap((operation) => fromPromise(upload(operation))),
      ),
      pipe(
        operations,
        filter((operation) => !hasFile(operation)),
        forward,
      ),
    ]);

export function createUrql(authorization: string, url = gatewayUrl): Client {
  return new Client({
    url,
    // POST is the default of the other clients too. By GET, the gateway asks for another header.
    preferGetMethod: false,
    fetchOptions: { headers: { authorization } },
    exchanges: [cacheExchange, uploadExchange, fetchExchange],
  });
}
