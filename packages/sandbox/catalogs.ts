import { showCard } from './entity-cards.ts';
import { created, type Endpoints, ok } from './framework/endpoint.ts';
import {
  type Body,
  boolean,
  type Field,
  list,
  nullable,
  number,
  object,
  oneOf,
  reference,
  required,
  requiredInConnect,
  text,
} from './framework/fields.ts';
import { contains, exactly, type Filters, page, time } from './framework/page.ts';
import { Crash, found } from './framework/refusal.ts';
import type { Session } from './framework/session.ts';
import { equal, type Row, type TableIndexes } from './framework/store.ts';
import { authorFields, authorship } from './shared/authorship.ts';

declare module './framework/store.ts' {
  interface Tables {
    product: Product;
    currency: Currency;
    premium: Premium;
  }
}

export const tables: TableIndexes = { product: [], currency: ['code'], premium: ['owner'] };

export const endpoints: Endpoints = {
  listProducts: {
    method: 'GET',
    template: '/catalogs/products/',
    answer: (session, request) =>
      ok(
        page(session, request, {
          table: 'product',
          where: [
            {
              sql: "EXISTS (SELECT 1 FROM json_each(doc, '$.companies') WHERE value = ?)",
              values: [session.caller.company],
            },
          ],
          filters: productFilters,
          olderFilters: { name: exactly('name') },
          show: ({ id }) => showProduct(session, id),
        }),
      ),
  },
  listCards: {
    method: 'GET',
    template: '/catalogs/connect-cards/',
    answer: (session, request) =>
      ok(page(session, request, { table: 'card', show: ({ id }) => showCard(session, id) })),
  },
  listCurrencies: {
    method: 'GET',
    template: '/catalogs/currencies/',
    answer: (session, request) =>
      ok(
        page(session, request, {
          table: 'currency',
          filters: currencyFilters,
          connectFilters: { name: exactly('name'), code: exactly('code') },
          order: "doc ->> 'name', n",
          show: ({ id }) => showCurrency(session, id),
        }),
      ),
  },
  listPremiums: {
    method: 'GET',
    template: '/catalogs/premiums/',
    dialect: 'connect',
    answer: (session, request) =>
      ok(page(session, request, { table: 'premium', show: ({ id }) => showPremium(session, id) })),
  },
  getPremium: {
    method: 'GET',
    template: '/catalogs/premiums/{hashid}/',
    dialect: 'connect',
    answer: (session, { id }) => ok(found(showPremium(session, id))),
  },
  createPremium: {
    method: 'POST',
    template: '/catalogs/premiums/',
    answer: (session, { body }) => created(showPremium(session, addPremium(session, premium.read(body, session)).id)),
  },
};

export interface Currency extends Row {
  name: string;
  code: string;
}

const currencyReference = reference('currency');

/** The real service looks currencies up after its field checks, and crashes for an unknown one. */
export const currencyField: Field<string> = {
  read: (value, session) => (session.connect ? text({ min: 1 }) : currencyReference).read(value, session),
};

/** The id of the currency with this id or code. */
export function findCurrency(session: Session, text: string): string {
  if (session.store.get('currency', text)) return text;
  const [found] = session.store.list('currency', [equal('code', text)]);
  if (!found) throw new Crash();
  return found.id;
}

export function showCurrency(session: Session, id: string | null) {
  return session.view('currency', id, ({ id, name, code }) => ({
    id,
    name,
    code,
  }));
}

export function currencyText(session: Session, id: string | null): string | null {
  const currency = showCurrency(session, id);
  return currency && `${currency.name} - ${currency.code} - ${currency.id}`;
}

export interface Product extends Row {
  name: string;
  description: string | null;
  image: string | null;
  is_active: boolean;
  /** Companies with this product in their catalog. */
  companies: string[];
  creator: string;
  updater: string;
}

/** The specification gives `premiums` and `is_active` as texts. */
export function showProduct(session: Session, id: string | null) {
  return session.view('product', id, ({ companies: _companies, ...stored }) => {
    const product = { ...stored, image: session.urlOf(stored.image) };
    const owned = session.store.list('premium', [equal('owner', session.caller.company)]);
    const premiums = owned.filter(({ is_active }) => is_active).map((premium) => premium.id);
    if (session.connect) return { ...product, premiums };
    return { ...product, premiums: premiums.join(','), is_active: String(product.is_active) };
  });
}

const optionFields = {
  name: requiredInConnect(text()),
  amount: requiredInConnect(number),
  is_active: boolean,
  ...authorFields,
};

export const premiumFields = {
  name: required(text({ min: 1, max: 100 })),
  options: list(object(optionFields)),
  category: oneOf('PAYOUT', 'TRANSACTION'),
  type: oneOf('PER_TRANSACTION', 'PER_KG', 'PER_UNIT_CURRENCY', 'PER_FARMER'),
  amount: nullable(number),
  included: boolean,
  dependant_on_card: boolean,
  applicable_activity: oneOf('BUY', 'SELL'),
  calculation_type: oneOf('NORMAL', 'MANUAL', 'OPTIONS'),
  is_active: boolean,
  owner: nullable(reference('entity', 'company')),
  ...authorFields,
};

export interface PremiumOption extends Row {
  name: string;
  amount: number;
  is_active: boolean;
  creator: string;
  updater: string;
}

/** An amount for quantities from `range_from` to `range_to`. */
interface Range {
  range_from: number;
  range_to: number;
  amount: number;
}

export interface Premium extends Omit<Required<Body<typeof premiumFields>>, 'options' | 'creator' | 'updater'>, Row {
  options: PremiumOption[];
  ranges: Range[];
  creator: string;
  updater: string;
}

/** Clients cannot set `ranges`. */
export function addPremium(session: Session, body: Body<typeof premiumFields>, ranges: Range[] = []): Premium {
  const authored = authorship(session, body);
  const options = (body.options ?? []).map((option) => ({
    name: '',
    amount: 0,
    is_active: true,
    ...option,
    id: session.store.partId('premium_option'),
    ...authored,
    creator: option.creator ?? authored.creator,
  }));
  return session.store.insert('premium', {
    category: 'TRANSACTION',
    type: 'PER_UNIT_CURRENCY',
    amount: 0,
    included: true,
    dependant_on_card: false,
    applicable_activity: 'BUY',
    calculation_type: 'NORMAL',
    is_active: true,
    ...body,
    id: session.store.nextId('premium'),
    owner: body.owner === undefined ? session.caller.company : body.owner,
    options,
    ranges,
    ...authored,
  });
}

export function showPremium(session: Session, id: string | null) {
  return session.view('premium', id, ({ ranges = [], ...premium }) => {
    if (!session.connect) return premium;
    // The specification does not have this value.
    const calculation_type = ranges.length > 0 ? 'RANGE' : premium.calculation_type;
    return { ...premium, calculation_type, label: '', ranges, options: premium.options.toReversed() };
  });
}

const productFilters: Filters = {
  name: contains('name'),
  description: (value) => equal('description', value),
  updated_after: time('updated >='),
};

/** `search` finds currencies that have each word in their name or code. */
const currencyFilters: Filters = {
  search(value) {
    const words = value.split(/[\s,]+/).filter(Boolean);
    const either = "(icontains(doc ->> 'name', ?) OR icontains(doc ->> 'code', ?))";
    return { sql: ['TRUE', ...words.map(() => either)].join(' AND '), values: words.flatMap((word) => [word, word]) };
  },
};

const premium = object(premiumFields);
