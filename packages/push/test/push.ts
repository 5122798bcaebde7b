import type { Answer, RequestOptions } from '../../../test/support/client.ts';
import type { Gateway } from '../../../test/support/harness.ts';

/** Ids of the sandbox. */
export const ids = {
  cooperative: 'J7VY4SD9HV',
  farmer: 'D2YW477Q65',
  coffee: 'KUBSEUU5J8',
  dollar: '5BND77JEZS',
};

export interface PushedWrite {
  key: string;
  ref?: string;
  write: Record<string, object>;
}

/** A document that shows the whole result of each write. `object`: the selection of the objects. */
export function pushDocument(object = '__typename'): string {
  return `mutation ($writes: [WriteInput!]!) {
    push(writes: $writes) {
      key ref status
      object { __typename ${object} }
      error { code message retryable fields { path message } upstream_status retry_after }
    }
  }`;
}

export const onlyIds = `
  ... on Farmer { id } ... on Company { id } ... on CompanyMember { id } ... on User { id } ... on EntityCard { id }
  ... on Premium { id } ... on Form { id } ... on ProductTransaction { id } ... on PaymentTransaction { id }`;

/** Sends a push, and reads its answer. */
export function push(
  { query }: Pick<Gateway, 'query'>,
  writes: readonly PushedWrite[],
  options?: RequestOptions,
): Promise<Answer> {
  return query(pushDocument(onlyIds), { writes }, options);
}

export const createFarmer = (key: string, input: object = {}, ref?: string): PushedWrite => ({
  key,
  ...(ref !== undefined && { ref }),
  write: { createFarmer: { first_name: key, ...input } },
});

/** A new farmer with a card, who sells once and is paid a premium. */
export function purchaseOfNewFarmer(prefix: string): PushedWrite[] {
  const { cooperative, coffee, dollar } = ids;
  const input = { source: '$farmer1', destination: cooperative, product: coffee, card: '$card1' };
  const payment = { source: cooperative, destination: '$farmer1', transaction: '$purchase1' };
  return [
    createFarmer(`${prefix}-farmer`, {}, 'farmer1'),
    {
      key: `${prefix}-card`,
      ref: 'card1',
      write: { createEntityCard: { card: { card_id: `${prefix}-1` }, entity: '$farmer1' } },
    },
    {
      key: `${prefix}-purchase`,
      ref: 'purchase1',
      write: { createProductTransaction: { ...input, quantity: '10', amount: '12.5', currency: dollar } },
    },
    {
      key: `${prefix}-payment`,
      write: { createPaymentTransaction: { ...payment, amount: 2, currency: dollar } },
    },
  ];
}
