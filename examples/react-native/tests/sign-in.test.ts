import '../src/crypto.ts';
import { openSession } from '../../sign-in/sign-in.ts';
import { formOf } from '../src/send-form.ts';
import { photograph } from './files.ts';

const url = process.env.SIGN_IN_GATEWAY_URL ?? '';

(url ? test : test.skip)('a user with a password reads and uploads by the fetch of React Native', async () => {
  const { fetch, signIn } = openSession({ url, callerClaims: true });
  await signIn('abena@sankofa.example', 'sandbox');
  const query = '{ paymentTransactions(limit: 1) { results { id } } }';
  const headers = { 'content-type': 'application/json' };
  const read = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const payment: string = (await read.json()).data.paymentTransactions.results[0].id;

  const form = formOf({
    query:
      'mutation ($id: ID!, $invoice: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $invoice) { id invoice } }',
    variables: { id: payment, invoice: photograph('signed in.jpg') },
  });
  const keyed = { 'apollo-require-preflight': 'true', 'idempotency-key': crypto.randomUUID() };
  const sent = await fetch(url, { method: 'POST', headers: keyed, body: form });
  expect((await sent.json()).data.uploadInvoice).toEqual({
    id: payment,
    invoice: expect.stringMatching(/signed_in\.jpg$/),
  });
});
