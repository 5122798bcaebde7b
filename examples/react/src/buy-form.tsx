import { useQuery } from '@apollo/client/react';
import type { SubmitEvent } from 'react';
import { useChoices } from './choices.ts';
import { failuresOf } from './failure.ts';
import { Failures, fieldMessage } from './failures.tsx';
import { graphql } from './gql';
import type { CreateProductTransactionInput } from './gql/graphql.ts';
import { Invoice } from './invoice.tsx';
import { PurchaseFields, textOf } from './purchase-fields.tsx';
import { TransactionsDocument } from './transactions.ts';
import { useWrite } from './use-write.ts';
import { WriteState } from './write-state.tsx';

const BuyDocument = graphql(`
  mutation Buy($input: CreateProductTransactionInput!) {
    createProductTransaction(input: $input) {
      ...TransactionRow
    }
  }
`);

interface BuyFormProps {
  farmer: string;
  buyer: { id: string; currency?: { id: string } | null };
}

/** Records that the buyer bought something from the farmer. */
export function BuyForm({ farmer, buyer }: BuyFormProps) {
  const choices = useChoices();
  const { refetch: lookAgain } = useQuery(TransactionsDocument);
  const buy = useWrite(BuyDocument);
  const bought = buy.outcome === 'done' ? buy.data?.createProductTransaction : undefined;
  const messageAt = (...field: (string | number)[]) => fieldMessage(buy.failures, ...field);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    // The time is part of the action, and stays the time of the purchase when sent again.
    const date = new Date().toISOString();
    void buy.start({ input: { ...purchaseOf(form), source: farmer, destination: buyer.id, date } });
  }

  if (bought) {
    const payment = bought.transaction_payments?.find(({ payment_type }) => payment_type === 'TRANSACTION');
    return (
      <section aria-labelledby="bought">
        <h2 id="bought">Bought</h2>
        <p role="status">Recorded as number {bought.number}.</p>
        <WriteState write={buy} />
        {payment && <Invoice payment={payment.id} />}
        <button type="button" onClick={buy.reset}>
          Buy more
        </button>
      </section>
    );
  }
  return (
    <section aria-labelledby="buy">
      <h2 id="buy">Buy</h2>
      <Failures failures={failuresOf(choices.error)} />
      <form onSubmit={submit}>
        {/* A write that may have happened stays unchanged, because "Send again" must send the same. */}
        <fieldset disabled={buy.loading || buy.outcome === 'unanswered'}>
          <PurchaseFields choices={choices} currency={buyer.currency?.id} messageAt={messageAt} />
          <button type="submit">{buy.outcome === 'unknown' ? 'Record it again' : 'Buy'}</button>
        </fieldset>
        <WriteState write={buy} />
        {buy.outcome === 'unknown' && (
          <p>
            <button type="button" onClick={() => void lookAgain()}>
              Look at the transactions
            </button>{' '}
            Record it again only if it is not there.
          </p>
        )}
      </form>
    </section>
  );
}

type Purchase = Pick<
  CreateProductTransactionInput,
  'product' | 'quantity' | 'amount' | 'currency' | 'transaction_payments'
>;

function purchaseOf(form: FormData): Purchase {
  const premium = textOf(form, 'premium');
  return {
    product: textOf(form, 'product'),
    quantity: textOf(form, 'quantity'),
    amount: textOf(form, 'amount'),
    currency: textOf(form, 'currency'),
    ...(premium && { transaction_payments: [{ premium, amount: Number(textOf(form, 'premium-amount')) }] }),
  };
}
