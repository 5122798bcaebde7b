import type { ApolloClient } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { graphql } from './gql';
import { nodesOf } from './nodes.ts';

/**
 * The choices of the forms. The service has no list of premiums, and so they offer those of recent payments.
 * The company is the one that buys from a farmer whom the caller sees.
 */
const ChoicesDocument = graphql(`
  query Choices {
    products(first: 100) {
      results {
        id
        name
      }
    }
    currencies(first: 200) {
      results {
        id
        code
        name
      }
    }
    paymentTransactions(first: 100) {
      edges {
        node {
          id
          premium {
            id
            name
          }
        }
      }
    }
    farmers(limit: 1) {
      results {
        id
        buyer {
          id
          name
          currency {
            id
          }
        }
      }
    }
  }
`);

/** Reads the choices before a form needs them, and saves them on the device for a start without a network. */
export async function loadChoices(client: ApolloClient, account: string): Promise<void> {
  const name = `choices-${account}`;
  const saved = localStorage.getItem(name);
  if (saved) client.writeQuery({ query: ChoicesDocument, data: JSON.parse(saved) });
  const { data } = await client.query({ query: ChoicesDocument, fetchPolicy: 'network-only', errorPolicy: 'none' });
  localStorage.setItem(name, JSON.stringify(data));
}

export type Choices = ReturnType<typeof useChoices>;

export function useChoices() {
  const { data, error, refetch } = useQuery(ChoicesDocument);
  const premiums = nodesOf(data?.paymentTransactions).flatMap(({ premium }) => premium ?? []);
  return {
    error,
    refetch,
    ready: Boolean(data?.products && data.currencies && data.farmers),
    products: data?.products?.results ?? [],
    currencies: data?.currencies?.results ?? [],
    premiums: [...new Map(premiums.map((premium) => [premium.id, premium])).values()],
    company: data?.farmers?.results[0]?.buyer,
  };
}
