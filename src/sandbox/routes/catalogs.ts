import { created, type Endpoint, ok } from '../endpoint.ts';
import { object } from '../fields.ts';
import { contains, type Filters, page, time } from '../page.ts';
import {
  addPremium,
  type Currency,
  type Product,
  premiumFields,
  showCurrency,
  showPremium,
  showProduct,
} from '../resources/catalogs.ts';
import { type Card, showCard } from '../resources/entity-cards.ts';
import { equal } from '../store.ts';

const productFilters: Filters = {
  name: contains('name'),
  description: (value) => equal("doc ->> 'description'", value),
  updated_after: time('updated >='),
};

/** Every word must be in the name or in the code. */
const currencyFilters: Filters = {
  search(value) {
    const words = value.split(/[\s,]+/).filter(Boolean);
    const either = "(icontains(doc ->> 'name', ?) OR icontains(doc ->> 'code', ?))";
    return { sql: ['TRUE', ...words.map(() => either)].join(' AND '), values: words.flatMap((word) => [word, word]) };
  },
};

const premium = object(premiumFields);

export const catalogs: Endpoint[] = [
  {
    method: 'GET',
    template: '/catalogs/products/',
    answer: (session, request) =>
      ok(
        page<Product>(session, request, {
          table: 'product',
          where: [
            {
              sql: "EXISTS (SELECT 1 FROM json_each(doc, '$.companies') WHERE value = ?)",
              values: [session.caller.company],
            },
          ],
          filters: productFilters,
          show: ({ id }) => showProduct(session, id),
        }),
      ),
  },
  {
    method: 'GET',
    template: '/catalogs/connect-cards/',
    answer: (session, request) =>
      ok(page<Card>(session, request, { table: 'card', show: ({ id }) => showCard(session, id) })),
  },
  {
    method: 'GET',
    template: '/catalogs/currencies/',
    answer: (session, request) =>
      ok(
        page<Currency>(session, request, {
          table: 'currency',
          filters: currencyFilters,
          order: "doc ->> 'name', n",
          show: ({ id }) => showCurrency(session, id),
        }),
      ),
  },
  {
    method: 'POST',
    template: '/catalogs/premiums/',
    answer: (session, { body }) => created(showPremium(session, addPremium(session, premium.read(body, session)).id)),
  },
];
