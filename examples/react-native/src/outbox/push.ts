import type { ApolloClient } from '@apollo/client';
import { graphql } from '../gql/index.ts';
import { answerOf } from './push-answer.ts';
import type { Push } from './sender.ts';

/** Each kind of write that the app makes has a part, with what its screens show of it. */
const PushDocument = graphql(`
  mutation Push($writes: [WriteInput!]!) {
    push(writes: $writes) {
      key
      status
      object {
        ... on Farmer {
          id
          name
          image
        }
        ... on EntityCard {
          id
          card {
            id
          }
        }
        ... on ProductTransaction {
          id
        }
        ... on PaymentTransaction {
          id
        }
      }
      error {
        code
        message
        retryable
        retry_after
        fields {
          path
          message
        }
      }
    }
  }
`);

/** Phones lose answers without a word. After so long, the app sends the same again. */
const answerTimeoutMs = 120_000;

export function pushBy(client: ApolloClient): Push {
  return async (push) => {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), answerTimeoutMs);
    const pushed = await client.mutate({
      mutation: PushDocument,
      variables: { writes: push.map(({ key, ref, write }) => ({ key, ref, write })) },
      context: { fetchOptions: { signal: ending.signal } },
    });
    clearTimeout(timer);
    return answerOf(push, pushed);
  };
}
