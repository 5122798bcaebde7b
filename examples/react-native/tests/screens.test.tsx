import '../src/crypto.ts';
import { ApolloProvider } from '@apollo/client/react';
import { fireEvent, render, screen, waitFor } from '@testing-library/react-native';
import type { ReactNode } from 'react';
import App from '../App.tsx';
import { createApollo } from '../src/apollo.ts';
import { FarmersScreen } from '../src/farmers-screen.tsx';
import { InvoiceButton } from '../src/invoice-button.tsx';
import { closeSession } from '../src/open-session.ts';
import { Picture } from '../src/picture.tsx';
import { type Session, SessionContext } from '../src/session.tsx';
import { photograph } from './files.ts';
import { ask, url } from './gateway.ts';

const client = createApollo('demo-coop', url);
const session = { authorization: 'demo-coop', client } as Session;
const show = (children: ReactNode) =>
  render(
    <ApolloProvider client={client}>
      <SessionContext value={session}>{children}</SessionContext>
    </ApolloProvider>,
  );

test('the app signs in, and lists farmers', async () => {
  await render(<App />);
  await fireEvent.changeText(screen.getByLabelText('API key'), 'demo-coop');
  await fireEvent.press(screen.getByRole('button', { name: /sign in/i }));
  await screen.findByText(/^\d+ farmers$/);
  expect(screen.getAllByLabelText(/^Picture of/)[0]?.props.source.headers).toEqual({ Authorization: 'demo-coop' });
  await screen.unmount();
  await closeSession();
});

test('the list shows farmers, and more as the user scrolls', async () => {
  await show(<FarmersScreen />);
  await screen.findByText(/^\d+ farmers$/);
  const list = screen.getByLabelText('Farmers');
  expect(list.props.data).toHaveLength(20);
  await fireEvent(list, 'endReached');
  await waitFor(() => expect(screen.getByLabelText('Farmers').props.data).toHaveLength(40));
});

test('a picture comes by way of the gateway, for those who have a key', async () => {
  const { data } = await ask('{ products { results { image } } }');
  const { image } = data.products.results.find((product: { image: string | null }) => product.image);
  await show(<Picture url={image} label="Cocoa" style={{ width: 40 }} />);
  const { uri, headers } = screen.getByLabelText('Cocoa').props.source;
  expect(uri).toContain(url.replace('/graphql', '/media/'));

  // As the image loader of a device asks for it.
  const answer = await fetch(uri, { headers });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await answer.blob()).size).toBeGreaterThan(100);
  expect((await fetch(uri)).status).toBe(401);
});

test('the button attaches an invoice', async () => {
  const { data } = await ask('{ paymentTransactions(limit: 1) { results { id } } }');
  const [payment] = data.paymentTransactions.results;
  await show(<InvoiceButton payment={payment.id} pick={async () => photograph('invoice.jpg')} />);
  await fireEvent.press(screen.getByRole('button', { name: /attach an invoice/i }));
  await screen.findByText('The invoice is attached.');
});
