import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { FarmerPage } from '../src/farmer-page.tsx';
import { FarmersPage } from '../src/farmers-page.tsx';
import { gateway, show } from './gateway.tsx';

test('lists the farmers with one call', async () => {
  show(<FarmersPage />);

  expect((await screen.findByRole('link', { name: 'Ama Mensah' })).getAttribute('href')).toBe('#/farmers/AMA');
  expect(screen.getByRole('status').textContent).toBe('2 farmers');
  await expect(gateway).toCostAtMost({ calls: 1, ms: 50 });
});

test('searches by first name', async () => {
  show(<FarmersPage />);
  await screen.findByRole('link', { name: 'Ama Mensah' });

  await userEvent.type(screen.getByRole('searchbox'), 'kof');

  expect(await screen.findByText('1 farmers')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Ama Mensah' })).toBeNull();
});

test('shows what there is where a reference fails, and the rest after "Try again"', async () => {
  const undo = await gateway.fail('getCompany', 503);
  show(<FarmerPage id="AMA" />);

  expect(await screen.findByRole('heading', { name: 'Ama Mensah' })).toBeTruthy();
  expect(screen.getByText('Missing here: buyer. The service is not available now.', { exact: false })).toBeTruthy();

  await undo();
  await userEvent.click(screen.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement);

  expect(await screen.findByText('Sankofa Growers Cooperative Union')).toBeTruthy();
});
