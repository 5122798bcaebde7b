import { expect, test } from 'vitest';
import { bearerOf, people, unsigned } from '../../../test/support/tokens.ts';
import { clientOf, data, disposableSandbox } from './client.ts';

const spec = await disposableSandbox();
const connect = await disposableSandbox({ dialect: 'connect' });
const sandboxes = { spec, connect };

const currencies = '/catalogs/currencies/?limit=1';
const refused: Record<string, () => string> = {
  'a token that has expired': () => bearerOf(people.abena, { claims: { exp: Math.floor(Date.now() / 1000) } }),
  'a token with another signature': () => bearerOf(people.abena, { secret: 'made up' }),
  'a token without a signature': () => unsigned(bearerOf(people.abena)),
  'a token for refreshing': () => bearerOf(people.abena, { type: 'refresh' }),
  'a token of an unknown user': () => bearerOf({ ...people.abena, user: 'AAAAAAAAAA' }),
  'a token without Bearer': () => bearerOf(people.abena).slice('Bearer '.length),
};

test.each(Object.keys(refused))('the sandbox refuses %s as it refuses an unknown key', async (name) => {
  for (const [dialect, sandbox] of Object.entries(sandboxes)) {
    const authorization = refused[name]!();
    const unknown = authorization.startsWith('Bearer ') ? 'Bearer nobody' : 'nobody';

    const answer = await clientOf(sandbox, authorization).get(currencies);

    expect(answer.status).toBe(dialect === 'spec' ? 401 : 403);
    expect(answer.body).toEqual((await clientOf(sandbox, unknown).get(currencies)).body);
  }
});

test('a token sees what the company in it sees', async () => {
  const { abena, theogene, maartje } = people;
  const farmersOf = async (authorization: string) =>
    (await clientOf(spec, authorization).get('/supply-chains/farmers/?limit=1')).body;

  expect(await farmersOf(bearerOf(abena))).toEqual(await farmersOf('demo-coop'));
  expect(await farmersOf(bearerOf(theogene))).toEqual(await farmersOf('demo-coop'));
  expect(await farmersOf(bearerOf(maartje))).toEqual(await farmersOf('demo-buyer'));
  expect(await farmersOf(bearerOf({ ...abena, company: maartje.company }))).toEqual(await farmersOf('demo-buyer'));
});

test('signing in gives a token, and a refresh another one', async () => {
  const { post } = clientOf(connect, '');
  const credentials = { username: 'maartje@noordzee.example', password: 'sandbox', device_id: 'phone' };

  const tokens = data(await post('/auth/login/', credentials));
  const { user, company } = people.maartje;
  const refreshed = data(await post('/auth/token/refresh/', { refresh: tokens.refresh, entity: company }));

  expect(tokens).toMatchObject({ user_id: user, entity_id: company, is_granted: true });
  expect(refreshed.access).not.toBe(tokens.access);
  for (const { access } of [tokens, refreshed]) {
    expect((await clientOf(connect, `Bearer ${access}`).get(currencies)).status).toBe(200);
  }
  expect((await post('/auth/login/', { ...credentials, password: 'wrong' })).status).toBe(401);
  expect((await post('/auth/token/refresh/', { refresh: tokens.access, entity: company })).status).toBe(401);
  expect((await post('/auth/token/refresh/', { refresh: tokens.refresh, entity: people.abena.company })).status).toBe(
    400,
  );
});
