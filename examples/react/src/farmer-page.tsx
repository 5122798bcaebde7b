import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { BuyForm } from './buy-form.tsx';
import { failuresOf } from './failure.ts';
import { Failures } from './failures.tsx';
import { graphql } from './gql';
import { Invoice } from './invoice.tsx';
import { More } from './more.tsx';
import { nodesOf } from './nodes.ts';
import { TransactionsDocument } from './transactions.ts';

const FarmerDocument = graphql(`
  query Farmer($id: ID!) {
    farmer(id: $id) {
      id
      name
      number
      city
      province
      country
      phone
      consent_status_raw
      entity_card {
        id
        card {
          id
          display_id
        }
      }
      creator {
        id
        first_name
        last_name
      }
      buyer {
        id
        name
        currency {
          id
          code
        }
      }
    }
  }
`);

export function FarmerPage({ id }: { id: string }) {
  const { data, error, loading, refetch } = useQuery(FarmerDocument, { variables: { id } });
  const failures = <Failures failures={failuresOf(error)} onRetry={() => refetch()} />;
  const farmer = data?.farmer;
  if (!farmer) return loading ? <p role="status">Loading…</p> : failures;

  const facts = {
    Number: farmer.number,
    Place: [farmer.city, farmer.province, farmer.country].filter(Boolean).join(', '),
    Phone: farmer.phone,
    Consent: farmer.consent_status_raw,
    Card: farmer.entity_card?.card?.display_id,
    'Sells to': farmer.buyer?.name,
    'Registered by': farmer.creator && `${farmer.creator.first_name} ${farmer.creator.last_name}`,
  };
  return (
    <>
      <h1>{farmer.name}</h1>
      {failures}
      <dl>
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || '–'}</dd>
          </div>
        ))}
      </dl>
      {farmer.buyer && <BuyForm farmer={farmer.id} buyer={farmer.buyer} />}
      <Transactions source={farmer.id} />
    </>
  );
}

/**
 * Some services have no list of one farmer's transactions. The page looks through the list of all, newest first, 100 rows
 * and one call at a time. All farmers' pages share the rows.
 */
function Transactions({ source }: { source: string }) {
  const { data, error, loading, fetchMore, refetch } = useQuery(TransactionsDocument);
  const list = data?.productTransactions;
  const all = nodesOf(list);
  return (
    <section aria-labelledby="transactions" aria-busy={loading}>
      <h2 id="transactions">Transactions</h2>
      <Failures failures={failuresOf(error)} onRetry={() => refetch()} />
      <ul aria-label="Transactions" className="rows">
        {all
          .filter(({ source_id }) => source_id === source)
          .map(({ id, number, date, quantity, amount, currency, product, transaction_payments }) => (
            <li key={id}>
              <span>
                {number} · {date?.slice(0, 10)} · {quantity} {product?.name} · {amount} {currency?.code}
              </span>
              {transaction_payments?.map((payment) => (
                <Payment
                  key={payment.id}
                  id={payment.id}
                  title={`${payment.premium?.name ?? 'Payment'}: ${payment.amount}`}
                />
              ))}
            </li>
          ))}
      </ul>
      {list && (
        <p role="status">
          Looked through {all.length} of {list.count} transactions.
        </p>
      )}
      {list?.pageInfo.hasNextPage && (
        <More
          after={list.pageInfo.endCursor ?? ''}
          load={(after) => fetchMore({ variables: { after }, errorPolicy: 'all' })}
        >
          Look through 100 more
        </More>
      )}
    </section>
  );
}

/** A payment, whose invoice costs a call: the page reads the invoice when somebody opens the payment. */
function Payment({ id, title }: { id: string; title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && <Invoice payment={id} />}
    </details>
  );
}
