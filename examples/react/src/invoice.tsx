import { useQuery } from '@apollo/client/react';
import { useId } from 'react';
import { failuresOf } from './failure.ts';
import { Failures, fieldMessage } from './failures.tsx';
import { graphql } from './gql';
import { useWrite } from './use-write.ts';
import { WriteState } from './write-state.tsx';

const PaymentDocument = graphql(`
  query Payment($id: ID!) {
    paymentTransaction(id: $id) {
      id
      invoice
    }
  }
`);

/** Answers with the payment of the page: the cache needs only its id and its new invoice. */
const UploadInvoiceDocument = graphql(`
  mutation UploadInvoice($payment: ID!, $invoice: Upload!) {
    uploadInvoice(payment_transaction: $payment, invoice: $invoice) {
      id
      invoice
    }
  }
`);

/** The invoice of a payment, and a form to attach one. */
export function Invoice({ payment }: { payment: string }) {
  const { data, error, loading } = useQuery(PaymentDocument, { variables: { id: payment } });
  const upload = useWrite(UploadInvoiceDocument);
  const id = useId();
  const url = data?.paymentTransaction?.invoice;
  const message = fieldMessage(upload.failures);

  if (loading) return <p role="status">Loading…</p>;
  if (error) return <Failures failures={failuresOf(error)} />;
  return (
    <div className="invoice">
      {url && <a href={url}>{decodeURIComponent(url.split('/').at(-1) ?? 'Invoice')}</a>}
      <form action={(form) => void upload.start({ payment, invoice: form.get('invoice') as File })}>
        <label htmlFor={id}>{url ? 'Replace the invoice' : 'Attach an invoice'}</label>
        <input id={id} type="file" name="invoice" required aria-describedby={`${id}-message`} />
        <span id={`${id}-message`}>{message}</span>
        <button type="submit" disabled={upload.loading}>
          Upload
        </button>
      </form>
      <WriteState write={upload} />
    </div>
  );
}
