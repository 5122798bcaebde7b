import { useQuery } from '@apollo/client/react';
import type { SubmitEvent } from 'react';
import { Failures, failuresOf, fieldMessage } from './failures.tsx';
import { Field } from './field.tsx';
import { graphql } from './gql';
import type { CreateProductTransactionInput } from './gql/graphql.ts';
import { Invoice } from './invoice.tsx';
import { nodesOf } from './nodes.ts';
import { putOnTop, TransactionsDocument } from './transactions.ts';
import { useWrite } from './use-write.ts';
import { WriteState } from './write-state.tsx';

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
  }
`);

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
  const { data: choices, error } = useQuery(ChoicesDocument);
  const { data: traded, refetch: lookAgain } = useQuery(TransactionsDocument);
  const buy = useWrite(BuyDocument, {
    update: (cache, { data }) => putOnTop(cache, data?.createProductTransaction),
  });
  const bought = buy.outcome === 'done' ? buy.data?.createProductTransaction : undefined;
  // The service has no list of premiums: the form offers recently paid ones.
  const premiums = nodesOf(traded?.productTransactions)
    .flatMap(({ transaction_payments }) => transaction_payments ?? [])
    .flatMap(({ premium }) => premium ?? []);
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
      <Failures failures={failuresOf(error)} />
      <form onSubmit={submit}>
        {/* A write that may have happened stays unchanged, because "Send again" must send the same. */}
        <fieldset disabled={buy.loading || buy.outcome === 'unanswered'}>
          <Field label="Product" message={messageAt('product')}>
            {(attributes) => (
              <select name="product" required {...attributes}>
                {choices?.products?.results.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Quantity" message={messageAt('quantity')}>
            {(attributes) => <input name="quantity" inputMode="decimal" required {...attributes} />}
          </Field>
          <Field label="Amount" message={messageAt('amount')}>
            {(attributes) => <input name="amount" inputMode="decimal" required {...attributes} />}
          </Field>
          <Field label="Currency" message={messageAt('currency')}>
            {(attributes) => (
              // The choices arrive later than the default among them.
              <select
                key={choices && 'read'}
                name="currency"
                defaultValue={buyer.currency?.id}
                required
                {...attributes}
              >
                {choices?.currencies?.results.map(({ id, code, name }) => (
                  <option key={id} value={id}>
                    {code} {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Premium" message={messageAt('transaction_payments', 0, 'premium')}>
            {(attributes) => (
              <select name="premium" {...attributes}>
                <option value="">None</option>
                {[...new Map(premiums.map(({ id, name }) => [id, name]))].map(([id, name]) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Amount of the premium" message={messageAt('transaction_payments', 0, 'amount')}>
            {(attributes) => <input name="premium-amount" type="number" min="0" step="any" {...attributes} />}
          </Field>
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

/** Quantity and amount go as typed text, because JavaScript's numbers lose digits. */
function purchaseOf(form: FormData): Purchase {
  const text = (name: string) => String(form.get(name)).trim();
  const premium = text('premium');
  return {
    product: text('product'),
    quantity: text('quantity'),
    amount: text('amount'),
    currency: text('currency'),
    ...(premium && { transaction_payments: [{ premium, amount: Number(text('premium-amount')) }] }),
  };
}
