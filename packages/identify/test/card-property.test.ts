import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import { startGateway } from '../../../test/support/harness.ts';
import { CardWorld, company } from './card-world.ts';

const cards = ['04A1', '04A2', '04A3', '04A4'];
const card = fc.constantFrom(...cards);
const spelled = (text: string) => [text, text.toLowerCase(), text.replace(/../g, '$&:')];

/** Farmers and company hold some of the cards, several of them one, some since the same second. */
const start = fc.record({
  farmers: fc.integer({ min: 1, max: 260 }),
  given: fc.array(
    fc.record({ card, farmer: fc.nat(259), age: fc.nat(2), isActive: fc.boolean(), isCompany: fc.boolean() }),
    { maxLength: 12 },
  ),
  failing: fc.option(fc.nat(259), { freq: 3 }),
  growsAtPage: fc.option(fc.integer({ min: 1, max: 3 })),
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('tap' as const), card, spelling: fc.nat(2) }) },
  fc.record({ does: fc.constant('give' as const), card, farmer: fc.nat(259), toCompany: fc.boolean() }),
  fc.record({ does: fc.constant('hide' as const), farmer: fc.nat(259) }),
  fc.record({ does: fc.constant('join' as const), card }),
);

test('a tap finds whom all rows show, whatever changes past the gateway', {
  timeout: 240_000,
}, async () => {
  let world = new CardWorld();
  await using upstream = await startFakeUpstream({ respond: (request) => world.respond(request) });
  const property = fc.asyncProperty(start, fc.array(step, { maxLength: 8 }), async (begin, steps) => {
    world = worldOf(begin);
    await using gateway = await startGateway({ upstreamUrl: upstream.url, sandbox: { dialect: 'connect' } });
    const tap = async (text: string) => {
      const document = 'query ($card: String!) { cardHolder(card_id: $card) { holder { id name } complete } }';
      const { data, errors } = await gateway.query(document, { card: text }, { key: 'Bearer demo-coop' });
      expect(errors).toEqual([]);
      return { holder: data.cardHolder.holder?.id ?? null, complete: data.cardHolder.complete };
    };
    // Cards that went to a farmer after their last tap.
    const unseen = new Set<string>();
    for (const each of [{ does: 'tap' as const, card: cards[0] as string, spelling: 0 }, ...steps]) {
      const farmer = 'farmer' in each ? world.farmers[each.farmer % world.farmers.length]?.id : undefined;
      if (each.does === 'tap') {
        const found = await tap(spelled(each.card)[each.spelling] as string);
        expect(found).toEqual({ holder: world.holderOf(each.card), complete: world.isWhole });
        unseen.delete(each.card);
      } else if (each.does === 'hide' && farmer && !world.failing.has(farmer)) world.hidden.add(farmer);
      else if (each.does === 'join') {
        if (world.holderOf(each.card) === company) continue;
        world.give(each.card, world.addFarmer().id);
        unseen.add(each.card);
      } else if (each.does === 'give' && farmer && mayGive(world, each.card, farmer, each.toCompany)) {
        if (each.toCompany && unseen.has(each.card)) continue;
        world.give(each.card, each.toCompany ? company : farmer);
        unseen.add(each.card);
      }
    }
  });
  await fc.assert(property, {
    numRuns: Number(process.env.PROPERTY_RUNS ?? 40),
    seed: Number(process.env.PROPERTY_SEED ?? 20261126),
  });
});

function worldOf({
  farmers,
  given,
  failing,
  growsAtPage,
}: (typeof start)['generate'] extends (...args: never) => { value: infer Start } ? Start : never) {
  const world = new CardWorld();
  for (let number = 0; number < farmers; number += 1) world.addFarmer('1700000000');
  for (const { card, farmer, isCompany, ...options } of given) {
    world.assign(card, isCompany ? company : `FARMER${farmer % farmers}`, options);
  }
  if (failing !== null) world.failing.add(`FARMER${failing % farmers}`);
  let pages = 0;
  world.beforePage = () => {
    pages += 1;
    if (pages === growsAtPage && world.holderOf('04A4') !== company) world.give('04A4', world.addFarmer().id);
  };
  return world;
}

/** A farmer whom the gateway has seen with the card shows that it is gone. Other changes may show a minute later. */
function mayGive(world: CardWorld, card: string, farmer: string, toCompany: boolean): boolean {
  const holder = world.holderOf(card);
  const isOfFarmer = holder !== null && holder !== company;
  return !world.failing.has(farmer) && !world.hidden.has(farmer) && (isOfFarmer || (holder === null && !toCompany));
}
