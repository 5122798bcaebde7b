import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { FarmerPage } from '../src/farmer-page.tsx';
import { gateway, show } from './gateway.tsx';

/** Fills the form of a farmer's page, and sends it. */
async function buy(): Promise<void> {
  show(<FarmerPage id="AMA" />);
  await screen.findByRole('option', { name: 'Cocoa' });
  await userEvent.type(screen.getByLabelText('Quantity'), '12.5');
  await userEvent.type(screen.getByLabelText('Amount'), '250');
  await userEvent.click(screen.getByRole('button', { name: 'Buy' }));
}

const rows = () => within(screen.getByRole('list', { name: 'Transactions' })).getAllByRole('listitem');
const writes = async () => (await gateway.calls()).filter(({ reason }) => reason === 'write').length;

test('writes once, although the first answer is lost and the user sends again', async () => {
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    const answer = await gateway.fetch(...request);
    if (!String(request[1]?.body).includes('mutation')) return answer;
    vi.stubGlobal('fetch', gateway.fetch);
    throw new TypeError('Failed to fetch');
  });
  await buy();
  await userEvent.click(await screen.findByRole('button', { name: 'Send again' }));

  expect(await screen.findByText(/Recorded as number/)).toBeTruthy();
  expect(rows()).toHaveLength(2);
  expect(await writes()).toBe(1);
});

test('asks the user to look where the service did not say how a write ended', async () => {
  await gateway.fail('createProductTransaction', 'lost-answer', { times: 1 });
  await buy();
  expect(await screen.findByText('This may have happened or not: the service did not say.')).toBeTruthy();

  await userEvent.click(screen.getByRole('button', { name: 'Look at the transactions' }));

  expect(await screen.findByText(/12\.5(00)? Cocoa/)).toBeTruthy();
  expect(await writes()).toBe(1);
});

test('shows the messages of the service at their fields', async () => {
  await gateway.fail('createProductTransaction', 400, { body: { quantity: ['More than the farmer has.'] } });
  await buy();

  expect(await screen.findByText('More than the farmer has.')).toBeTruthy();
  expect(await gateway.unmet()).toEqual([]);
});
