import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codesOf } from '../../../test/support/client.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { one, page, paths, type Row, readRest, readRows, writeRest } from '../../../test/support/rest-reads.ts';

const document = `query ($input: FarmerCandidateInput!) {
  farmerCandidates(input: $input) { candidates { farmer { id name phone } agree } complete reason }
}`;

async function candidatesOf(gateway: Gateway, input: object, key = 'demo-coop') {
  const { data, errors, calls } = await gateway.query(document, { input }, { key });
  const { candidates, complete, reason } = data.farmerCandidates ?? {};
  const found = candidates?.map(({ farmer, agree }: Row) => [farmer.id, ...agree]);
  return { found, complete, reason, errors, calls };
}

/** A card is tapped first, so that the gateway has looked through the farmers. */
const tap = (gateway: Gateway, key = 'demo-coop') =>
  gateway.query('{ cardHolder(card_id: "any") { complete } }', {}, { key });

const addFarmer = (gateway: Gateway, body: object) =>
  writeRest(gateway, paths.farmers, { country: 'Ghana', province: 'Ashanti', ...body });

describe('a list of three pages', () => {
  let gateway: Gateway;
  let farmers: Row[];
  beforeEach(async () => {
    gateway = await startGateway();
    farmers = await readRows(gateway, paths.farmers);
  });
  afterEach(() => gateway.close());

  test('is read as a whole, and compared in all that is given', async () => {
    const [first, second, fourth, ...others] = farmers as [Row, Row, Row, Row];
    const third = others.find(({ phone }) => phone) as Row;
    const input = {
      first_name: `  ${first.first_name.toUpperCase()}`,
      last_name: first.last_name.normalize('NFD'),
      number: second.number,
      phone: third.phone.replace(/^\+\d{3}/, '0'),
      identification_no: fourth.identification_no.replace('-', ' ').toLowerCase(),
    };
    const { found, errors, calls, ...whole } = await candidatesOf(gateway, input);

    expect(errors).toEqual([]);
    expect(whole).toEqual({ complete: true, reason: null });
    const name = `${first.first_name} ${first.last_name}`;
    const namesakes = farmers.filter((each) => `${each.first_name} ${each.last_name}` === name);
    const expected = [
      ...namesakes.map(({ id }) => [id, 'name']),
      [second.id, 'number'],
      [third.id, 'phone'],
      [fourth.id, 'identification_no'],
    ];
    expect(found).toEqual(expected.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    expect(calls).toEqual([0, 100, 200].map((offset) => page(paths.farmers, 100, offset)));
  });

  test('shows those that agree in most first', async () => {
    const [first, second] = farmers as [Row, Row];
    const { first_name, last_name, phone, number, identification_no } = second;
    const { found } = await candidatesOf(gateway, { first_name, last_name, phone, number, identification_no });

    expect(found[0]).toEqual([second.id, 'name', 'number', 'phone', 'identification_no']);
    const both = await candidatesOf(gateway, { number: first.number, phone, identification_no });
    expect(both.found.map(([id]: string[]) => id)).toEqual([second.id, first.id]);
  });

  test('makes the next search two calls at most, and one GET for each that no filter finds', async () => {
    await candidatesOf(gateway, { number: '1' });
    const [first, second] = farmers as [Row, Row];
    const { found, complete, calls } = await candidatesOf(gateway, {
      first_name: first.first_name,
      last_name: first.last_name,
      phone: second.phone,
    });

    expect(found).toContainEqual([second.id, 'phone']);
    expect(complete).toBe(true);
    const filtered = expect.stringContaining(`${paths.farmers}?first_name=`);
    expect(calls).toEqual([filtered, one(paths.farmers, second.id)]);
  });

  test('a farmer who was created through the gateway is a candidate at once', async () => {
    await tap(gateway);
    const write = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }';
    const input = { first_name: 'Zora', last_name: 'New', phone: '+233501234567', identification_no: 'ZZ-1' };
    const { data } = await gateway.query(write, { input });

    const { found, complete, calls } = await candidatesOf(gateway, { phone: '050 123 4567', identification_no: 'zz1' });
    expect(found).toEqual([[data.createFarmer.id, 'phone', 'identification_no']]);
    expect(complete).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(3);
  });

  test('a farmer whom somebody else has just created is a candidate at once', async () => {
    await tap(gateway);
    const { id } = await addFarmer(gateway, { first_name: 'Zora', phone: '+233501234567' });

    const { found, complete, calls } = await candidatesOf(gateway, { phone: '050 123 4567' });
    expect({ found, complete }).toEqual({ found: [[id, 'phone']], complete: true });
    expect(calls).toEqual([expect.stringContaining('updated_after=')]);
  });

  test('says that some may be missing where somebody else has just created more than a page', async () => {
    await tap(gateway);
    const phones = Array.from({ length: 101 }, (_, n) => `+233500000${n + 100}`);
    for (const phone of phones) await addFarmer(gateway, { first_name: 'Many', phone });

    const answers = [];
    for (const phone of [phones[0], phones[100]]) answers.push(await candidatesOf(gateway, { phone }));
    const missed = answers.filter(({ found }) => found.length === 0);
    expect(missed).toMatchObject([{ complete: false, reason: expect.stringContaining('changed') }]);
  });

  test.each([{}, { first_name: '', phone: null }, { phone: 'none', number: ' - ' }])(
    'an input with nothing to compare is refused without a call: %j',
    async (input) => {
      const { errors, calls } = await candidatesOf(gateway, input);

      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input'] }] } }]);
      expect(calls).toEqual([]);
    },
  );

  test.each([
    ['before', true],
    ['after', false],
  ])(
    'a farmer whom the service creates after OUTCOME_UNKNOWN is a candidate then, with a first look %s',
    async (_, isBefore) => {
      await using faked = await startFakedGateway();
      if (isBefore) await tap(faked);
      faked.upstream.fail(paths.farmers, { breaks: true, times: 1 });
      const farmer = { first_name: 'Late', phone: '+233241112223' };
      const create = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }';
      const { errors } = await faked.query(create, { input: farmer });
      const before = await candidatesOf(faked, { phone: farmer.phone });
      const { id } = await addFarmer(faked, farmer);
      const after = await candidatesOf(faked, { phone: farmer.phone });

      expect(codesOf({ errors })).toEqual(['OUTCOME_UNKNOWN']);
      expect([before.found, after.found]).toEqual([[], [[id, 'phone']]]);
    },
  );

  test('a text beyond the bounds of the service is refused without a call', async () => {
    const { errors, calls } = await candidatesOf(gateway, { first_name: 'x'.repeat(101), number: '12345678901' });

    const fields = [{ path: ['input', 'first_name'] }, { path: ['input', 'number'] }];
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields } }]);
    expect(calls).toEqual([]);
  });

  test('another caller is shown nothing of the farmers of this one', async () => {
    await tap(gateway);
    const [first] = farmers as [Row];
    const { number, phone, identification_no } = first;

    const { found } = await candidatesOf(gateway, { number, phone, identification_no }, 'demo-buyer');
    expect(found.map(([id]: string[]) => id)).not.toContain(first.id);
  });
});

describe('a longer list', () => {
  let gateway: FakedGateway;
  beforeEach(async () => {
    gateway = await startFakedGateway();
    for (let n = 0; n < 120; n += 1) {
      const phone = `+2335000000${String(n).padStart(2, '0')}`;
      await addFarmer(gateway, {
        first_name: 'Yaw  Kofi',
        last_name: `Addo ${n}`,
        phone,
        identification_no: `LONG-${n}`,
      });
    }
  });
  afterEach(() => gateway.close());

  test('is read by its filters, in three calls at most', async () => {
    const input = { first_name: 'yaw kofi', last_name: 'addo 7', number: '1003', phone: '0500000017' };
    const { found, complete, reason, calls } = await candidatesOf(gateway, input);

    const rows = await readRest(gateway, `${paths.farmers}?last_name=Addo 7&limit=100`);
    const own = rows.results.find(({ last_name }: Row) => last_name === 'Addo 7');
    expect(found).toEqual(expect.arrayContaining([[own.id, 'name']]));
    expect(found.map(([, ...agree]: string[]) => agree).toSorted()).toEqual([['name'], ['number'], ['phone']]);
    expect(complete).toBe(false);
    expect(reason).toContain('`phone`');
    expect(calls).toEqual([
      page(paths.farmers, 100),
      page(paths.farmers, 100, 0, 'first_name=yaw&last_name=7'),
      page(paths.farmers, 100, 0, 'number=1003'),
    ]);
  });

  test('is known by phone and identification once a card was tapped', async () => {
    await tap(gateway);
    const { found, complete, calls } = await candidatesOf(gateway, {
      phone: '0500000001',
      identification_no: 'long 2',
    });

    expect(found.map(([, ...agree]: string[]) => agree)).toEqual([['phone'], ['identification_no']]);
    expect(complete).toBe(true);
    expect(calls).toHaveLength(2);
  });

  test('finds a number in another spelling, and a name that is divided otherwise', async () => {
    const { id } = await addFarmer(gateway, { first_name: 'Ebo Kwesi', last_name: 'Anan', number: 'KM-7' });
    const [first] = (await readRows(gateway, paths.farmers)) as [Row];

    const number = await candidatesOf(gateway, { number: `${first.number.slice(0, 2)} ${first.number.slice(2)}.` });
    expect(number).toMatchObject({ found: [[first.id, 'number']] });
    for (const name of [
      { first_name: 'Ebo', last_name: 'Kwesi Anan' },
      { first_name: 'EBO KWESI ANAN' },
      { last_name: 'Ebo Kwesi Anan' },
    ]) {
      expect((await candidatesOf(gateway, name)).found, JSON.stringify(name)).toEqual([[id, 'name']]);
    }
    await tap(gateway);
    expect(await candidatesOf(gateway, { number: 'km7' })).toMatchObject({ found: [[id, 'number']], complete: true });
  });

  test('says how many similar rows it has left out', async () => {
    const many = await candidatesOf(gateway, { first_name: 'Yaw', number: '1' });
    expect(many).toMatchObject({
      complete: false,
      reason: expect.stringMatching(/\d+ rows .*`first_name`.*\d+ rows .*`number`/),
    });
    expect(many.calls).toHaveLength(3);
  });

  test('does without a filter that the service does not apply', async () => {
    gateway.upstream.respond = async ({ path, headers }) => {
      if (!path.includes('number')) return undefined;
      const { authorization = '' } = headers;
      const url = `${gateway.sandbox.url}${path.replaceAll(/number[^&]*&/g, '')}`;
      return { body: await (await fetch(url, { headers: { authorization } })).text() };
    };
    const { found, complete, reason, errors } = await candidatesOf(gateway, {
      first_name: 'Yaw Kofi',
      last_name: 'Addo 7',
      number: '1003',
    });
    expect(errors).toEqual([]);
    expect(found.map(([, ...agree]: string[]) => agree)).toContainEqual(['name']);
    expect({ complete, reason }).toEqual({ complete: false, reason: expect.stringContaining('`number`') });
  });
});

test('candidates are those that a comparison with all rows finds', { timeout: 120_000 }, async () => {
  await using gateway = await startGateway();
  await addFarmer(gateway, { first_name: 'Ama', last_name: 'Twin', phone: '+233501111111', identification_no: 'T-1' });
  await addFarmer(gateway, { first_name: 'ama ', last_name: 'twin', phone: '+233501111111', identification_no: 't 1' });
  const farmers = await readRows(gateway, paths.farmers);
  const farmer = fc.nat(farmers.length - 1).map((n) => farmers[n] as Row);
  const input = fc.record(
    {
      name: farmer,
      number: farmer,
      phone: farmer,
      identification_no: farmer,
      shouts: fc.boolean(),
      respells: fc.boolean(),
    },
    { requiredKeys: ['shouts', 'respells'] },
  );
  const code = (text: string | null) => (text ?? '').toUpperCase().replace(/[ -]/g, '');
  const nameOf = ({ first_name, last_name }: Row) =>
    `${first_name} ${last_name ?? ''}`.toUpperCase().split(' ').filter(Boolean).join(' ');
  const property = fc.asyncProperty(input, fc.boolean(), async ({ shouts, respells, ...from }, isTapped) => {
    const spell = (text: string | null | undefined) => (shouts ? text?.toUpperCase() : text);
    const given = {
      first_name: spell(respells ? from.name && nameOf(from.name) : from.name?.first_name),
      last_name: respells ? null : spell(from.name?.last_name),
      number: respells ? from.number?.number.replace(/.$/, '.$&') : from.number?.number,
      phone: from.phone?.phone,
      identification_no: spell(from.identification_no?.identification_no),
    };
    if (Object.values(given).every((value) => !value)) return;
    if (isTapped) await tap(gateway);
    const { found, complete, calls } = await candidatesOf(gateway, given);
    expect(calls.length).toBeLessThanOrEqual(3);
    const expected = farmers.flatMap((row) => {
      const agree = [
        ...(from.name && nameOf(row) === nameOf(from.name) ? ['name'] : []),
        ...(from.number && row.number === from.number.number ? ['number'] : []),
        ...(from.phone?.phone && row.phone === from.phone.phone ? ['phone'] : []),
        ...(from.identification_no && code(row.identification_no) === code(from.identification_no.identification_no)
          ? ['identification_no']
          : []),
      ];
      return agree.length > 0 ? [[row.id, ...agree]] : [];
    });
    const sorted = expected.toSorted((a, b) => b.length - a.length || (a[0] < b[0] ? -1 : 1));
    if (complete) expect(found).toEqual(sorted);
    else expect(sorted).toEqual(expect.arrayContaining(found));
  });
  await fc.assert(property, {
    numRuns: Number(process.env.PROPERTY_RUNS ?? 60),
    seed: Number(process.env.PROPERTY_SEED ?? 20261126),
  });
});
