import { expect, test } from 'vitest';
import { startFakedGateway } from '../support/harness.ts';
import { get } from '../support/rest.ts';
import { one, paths } from '../support/rest-reads.ts';

const coop = 'J7VY4SD9HV';
const user = { id: 'USER2USER2', first_name: 'Ama', managing_entitys: [{ id: coop, name: 'Sankofa' }] };

test('an embedded object has its kind, also while a caller asks who does not know that kind', async () => {
  await using gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
  const { upstream } = gateway;
  const [farmer] = (await get(gateway.sandbox, `${paths.farmers}?limit=1`)).results;
  const body = JSON.stringify({ success: true, code: 200, data: { ...user, default_entity: farmer.id } });
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  upstream.respond = async ({ method, path, headers }) => {
    const call = `${method} ${path}`;
    if (call === one(paths.users, user.id)) return { body };
    if (headers.authorization !== 'demo-coop' || !path.includes(farmer.id)) return undefined;
    arrived.resolve();
    await released.promise;
    return undefined;
  };
  const ask = (fields: string, key?: string) =>
    gateway.query(`{ user(id: "${user.id}") { ${fields} } }`, {}, key ? { key } : {});
  await gateway.query(`{ company(id: "${coop}") { id } }`);
  // The gateway shares the objects of an answer that comes for the third time.
  for (let turn = 0; turn < 3; turn += 1) await ask('first_name');

  const answer = ask('managing_entitys { __typename name } default_entity { __typename }');
  await arrived.promise;
  await ask('managing_entitys { __typename id }', 'demo-buyer');
  released.resolve();

  expect(await answer).toMatchObject({
    errors: [],
    data: {
      user: {
        managing_entitys: [{ __typename: 'Company', name: 'Sankofa' }],
        default_entity: { __typename: 'Farmer' },
      },
    },
  });
});
