import '../src/crypto.ts';
import '../src/background.ts';
import { ApolloProvider } from '@apollo/client/react';
import { fireEvent, render, screen, waitFor } from '@testing-library/react-native';
import { runTasks } from '../device/expo.ts';
import { switchNetwork } from '../device/network-state.ts';
import { loseAnswers } from '../device/networking.ts';
import { sendInBackground } from '../src/background.ts';
import { NewFarmerScreen } from '../src/new-farmer-screen.tsx';
import { closeSession, openSavedSession, openSession } from '../src/open-session.ts';
import { SessionContext } from '../src/session.tsx';
import { ask } from './gateway.ts';

let endSending = () => {};
beforeEach(() => switchNetwork(true));
afterEach(async () => {
  endSending();
  endSending = () => {};
  await closeSession();
});

/** Starts the app for this caller. */
async function start({ sending = true } = {}) {
  const session = await openSession('demo-coop');
  if (sending) endSending = session.outbox.sender.start();
  await render(
    <ApolloProvider client={session.client}>
      <SessionContext value={session}>
        <NewFarmerScreen />
      </SessionContext>
    </ApolloProvider>,
  );
  return session;
}

async function register(name: string) {
  await fireEvent.changeText(screen.getByLabelText('First name'), name);
  await fireEvent.press(screen.getByRole('button', { name: /save/i }));
  await screen.findByText(new RegExp(`Farmer ${name}`));
}

const shows = (name: string, state: string) =>
  waitFor(() => expect(screen.getByText(new RegExp(`Farmer ${name}: ${state}`))).toBeTruthy());

async function farmersNamed(name: string): Promise<number> {
  const { data } = await ask(`{ farmers(first_name: "${name}") { count } }`);
  return data.farmers.count;
}

test('a farmer is registered at once where there is a network', async () => {
  const name = unique('Ama');
  await start();
  await register(name);
  await shows(name, 'done');
  expect(await farmersNamed(name)).toBe(1);
});

test('a farmer without a network outlives a restart, and is sent when the network comes back', async () => {
  const name = unique('Kofi');
  switchNetwork(false);
  await start();
  await register(name);
  await shows(name, 'pending');
  endSending();
  await screen.unmount();

  await start();
  await shows(name, 'pending');
  expect(await farmersNamed(name)).toBe(0);
  switchNetwork(true);
  await shows(name, 'done');
  expect(await farmersNamed(name)).toBe(1);
});

test('a farmer whose answer is lost is sent again, and is one farmer', async () => {
  const name = unique('Esi');
  await start();
  loseAnswers(1);
  await register(name);
  await shows(name, 'done');
  expect(await farmersNamed(name)).toBe(1);
});

test('a waiting farmer is sent in the background, without a screen', async () => {
  const name = unique('Yaw');
  const session = await start({ sending: false });
  await register(name);
  await shows(name, 'pending');
  await screen.unmount();
  await sendInBackground();

  expect(await runTasks()).toEqual([1]);
  expect(await farmersNamed(name)).toBe(1);
  expect(session.outbox.queue.current().map(({ state }) => state)).not.toContain('pending');
});

test('a new token of a caller opens the same outbox, and another caller has another one', async () => {
  const tokenOf = (user_id: string, exp: number) =>
    `Bearer e30.${base64url({ user_id, exp, session_data: { entity_id: 'E', member_type: 1 } })}.c2ln`;
  const names: string[] = [];
  for (const token of [tokenOf('ama', 1), tokenOf('ama', 2), tokenOf('kofi', 1)]) {
    names.push((await openSession(token)).outbox.queue.name);
  }
  expect(names[0]).toBe(names[1]);
  expect(names[2]).not.toBe(names[0]);
  expect((await openSavedSession())?.outbox.queue.name).toBe(names[2]);
});

const base64url = (payload: object) => Buffer.from(JSON.stringify(payload)).toString('base64url');

/** A name that no other test and no other run has. */
function unique(name: string): string {
  return `${name} ${crypto.randomUUID()}`;
}
