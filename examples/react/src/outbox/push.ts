import type { ApolloClient } from '@apollo/client';
import { graphql } from '../gql';
import { answerOf } from './push-answer.ts';
import type { Push } from './sender.ts';

/** The rows as the lists show them, because the cache puts them there. Each kind of write that the page makes has a part. */
const PushDocument = graphql(`
  mutation Push($writes: [WriteInput!]!) {
    push(writes: $writes) {
      key
      status
      object {
        ...FarmerRow
        ... on EntityCard {
          id
          is_active
          entity_id
          card {
            id
            display_id
          }
        }
        ...TransactionRow
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

/** After so long the page takes the answer for lost, and sends the same again. */
const answerTimeoutMs = 120_000;

/** The push of a client, whose cache gets what the writes have made. */
export function pushBy(client: ApolloClient): Push {
  return async (push) => {
    const pushed = await client.mutate({
      mutation: PushDocument,
      variables: { writes: push.map(({ key, ref, write }) => ({ key, ref, write })) },
      context: { fetchOptions: { signal: AbortSignal.timeout(answerTimeoutMs) } },
    });
    return answerOf(push, pushed);
  };
}
