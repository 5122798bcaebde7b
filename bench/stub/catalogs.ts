import { hoursIn, idOf, pick } from './ids.ts';
import { userOf } from './users.ts';

const productNames = ['Coffee cherry', 'Cocoa beans', 'Nutmeg', 'Coconut', 'Vanilla', 'Cinnamon'];

export const currencies = Array.from({ length: 150 }, (_, i) => ({
  name: `Currency ${i}`,
  id: idOf('currency', i),
  code: String.fromCharCode(65 + (i % 26), 65 + ((i * 7) % 26), 65 + (Math.floor(i / 26) % 26)),
}));

export const cards = Array.from({ length: 300 }, (_, i) => ({
  card_id: `NFC-${100000 + i}`,
  id: idOf('card', i),
  updated_on: hoursIn(i + 1),
  created_on: hoursIn(i),
  display_id: i % 7 ? `D${1000 + i}` : null,
  creator: userOf(i % 10),
  updater: userOf(i % 10),
}));

export const products = Array.from({ length: 12 }, (_, i) => ({
  name: `${pick(productNames, i)} ${i}`,
  id: idOf('product', i),
  premiums: idOf('premium', i % 6),
  is_active: 'true',
  updated_on: hoursIn(i),
  created_on: hoursIn(i),
  description: null,
  image: `https://cdn.example.org/p/${i}.png`,
  creator: userOf(1),
  updater: userOf(1),
}));

/** Never listed: they are embedded in payments. */
export const premiums = Array.from({ length: 6 }, (_, i) => ({
  name: `Premium ${i}`,
  id: idOf('premium', i),
  options: [
    {
      name: 'Standard',
      amount: 2.5,
      id: idOf('po', i),
      updated_on: hoursIn(i),
      created_on: hoursIn(i),
      is_active: true,
      creator: userOf(1),
      updater: userOf(1),
    },
  ],
  updated_on: hoursIn(i),
  created_on: hoursIn(i),
  category: i % 2 ? 'PAYOUT' : 'TRANSACTION',
  type: 'PER_KG',
  amount: 1.25 + i,
  included: false,
  dependant_on_card: false,
  applicable_activity: 'BUY',
  calculation_type: 'NORMAL',
  is_active: true,
  creator: userOf(1),
  updater: userOf(1),
  owner: idOf('company', i % 25),
}));

/** The assignment of a card to a farmer or company. */
export function entityCardOf(i: number, entity: string) {
  return {
    card: pick(cards, i),
    entity,
    id: idOf('entitycard', i),
    updated_on: hoursIn(i + 2),
    created_on: hoursIn(i),
    is_active: true,
    creator: userOf(i % 10),
    updater: userOf(i % 10),
  };
}

export const entityCards = Array.from({ length: cards.length }, (_, i) => entityCardOf(i, idOf('farmer', i)));
