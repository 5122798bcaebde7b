import '../src/crypto.ts';
import { createApollo } from '../src/apollo.ts';
import { plainName } from '../src/device-file.ts';
import { UploadInvoiceDocument } from '../src/documents.ts';
import { formOf } from '../src/send-form.ts';
import { createUrql } from '../src/urql.ts';
import { photograph, saved } from './files.ts';
import { ask, url } from './gateway.ts';

let payment: string;
beforeAll(async () => {
  const { data } = await ask('{ paymentTransactions(limit: 1) { results { id } } }');
  payment = data.paymentTransactions.results[0].id;
});

const apollo = createApollo('demo-coop', url);
const nameIn = (invoice: string | null | undefined) => invoice?.split('_').slice(1).join('_');

test('Apollo Client uploads a file of the device, and says how far it is', async () => {
  const parts: number[] = [];
  const { data, error } = await apollo.mutate({
    mutation: UploadInvoiceDocument,
    variables: { payment, invoice: photograph('bill of sale.jpg') },
    context: { headers: { 'idempotency-key': crypto.randomUUID() }, onProgress: (part: number) => parts.push(part) },
  });
  expect(error).toBeUndefined();
  expect(data?.uploadInvoice?.id).toBe(payment);
  expect(nameIn(data?.uploadInvoice?.invoice)).toBe('bill_of_sale.jpg');
  expect(parts.at(-1)).toBe(1);
});

test('an upload that is sent again under its key is one upload', async () => {
  const context = { headers: { 'idempotency-key': crypto.randomUUID() } };
  const variables = { payment, invoice: photograph('again.jpg') };
  const first = await apollo.mutate({ mutation: UploadInvoiceDocument, variables, context });
  const second = await apollo.mutate({ mutation: UploadInvoiceDocument, variables, context });
  expect(second.data).toEqual(first.data);
  expect(nameIn(first.data?.uploadInvoice?.invoice)).toBe('again.jpg');
});

test('urql uploads a file of the device', async () => {
  const variables = { payment, invoice: photograph('urql.jpg') };
  const { data, error } = await createUrql('demo-coop', url).mutation(UploadInvoiceDocument, variables).toPromise();
  expect(error).toBeUndefined();
  expect(nameIn(data?.uploadInvoice?.invoice)).toBe('urql.jpg');
});

test('fetch takes the same form', async () => {
  const query =
    'mutation ($id: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $file) { invoice } }';
  const body = formOf({ query, variables: { id: payment, file: photograph('fetched.jpg') } });
  const headers = { authorization: 'demo-coop', 'apollo-require-preflight': 'true' };
  const { data } = await (await fetch(url, { method: 'POST', headers, body })).json();
  expect(nameIn(data.uploadInvoice.invoice)).toBe('fetched.jpg');
});

test('a file of another kind is refused, with its place in the input', async () => {
  const variables = { payment, invoice: saved('notes.jpg', 'image/jpeg', 'Three bags, paid in cash.') };
  const { error } = await apollo.mutate({ mutation: UploadInvoiceDocument, variables });
  expect(error).toMatchObject({
    errors: [{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['invoice'] }] } }],
  });
});

test('an upload ends with its signal', async () => {
  const variables = { payment, invoice: photograph('ended.jpg') };
  const context = { signal: AbortSignal.abort(new Error('The user has left.')) };
  const { error } = await apollo.mutate({ mutation: UploadInvoiceDocument, variables, context });
  expect(error?.message).toBe('The user has left.');
});

test.each([
  ['bill of sale.jpg', 'bill_of_sale.jpg'],
  ['reçu n° 7.pdf', 'recu_n_7.pdf'],
  ['IMG_0042.HEIC', 'IMG_0042.HEIC'],
])('the name %j is sent as %j', (name, sent) => expect(plainName(name)).toBe(sent));
