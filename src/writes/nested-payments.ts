import type { FieldError } from '@gateway/base';
import { DateTime } from '@gateway/upstream';
import { inherited as contract } from '../generated/contract.ts';
import type { CreateProductTransactionInput, PaymentTransactionInput } from '../generated/graph.ts';

type PaymentField = keyof PaymentTransactionInput;

/** Fields that the service takes, and fields that it may always replace, as their descriptions say. */
const free: ReadonlySet<string> = new Set<PaymentField>(['premium', 'selected_option', 'amount', 'id', 'updater']);

const { transaction: _itself, ...shared } = contract.ProductTransaction.transaction_payments;

/** Fields of a payment that the service takes from the transaction, and their name there. */
const inherited: Readonly<Partial<Record<PaymentField, keyof CreateProductTransactionInput>>> = {
  ...shared,
  creator: 'creator',
};

/**
 * Refuses payments inside a product transaction that real deployments store otherwise. A deployment ignores most fields of
 * such a payment. Without a premium, it makes a second payment of the transaction, whose amount it replaces.
 */
export function nestedPaymentMistakes(input: CreateProductTransactionInput): FieldError[] {
  return (input.transaction_payments ?? []).flatMap((payment, index) => {
    const place = ['input', 'transaction_payments', index];
    const ignored = Object.entries(payment).flatMap(([name, value]): FieldError[] => {
      if (free.has(name) || saysNothing(value)) return [];
      const source = inherited[name as PaymentField];
      if (source && isSame(value, input[source])) return [];
      const message = source
        ? `The service takes this from \`${source}\` of the transaction: leave it out here.`
        : 'The service ignores this in a product transaction: leave it out, or use createPaymentTransaction.';
      return [{ path: [...place, name], message }];
    });
    if (payment.premium) return ignored;
    const message =
      'Needed: without a premium, this amount replaces the amount of the transaction, whose own payment the service makes.';
    return [{ path: [...place, 'premium'], message }, ...ignored];
  });
}

function saysNothing(value: unknown): boolean {
  return value == null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isSame(value: unknown, other: unknown): boolean {
  if (value instanceof DateTime && other instanceof DateTime)
    return Number(value.in('unix')) === Number(other.in('unix'));
  return value === other;
}
