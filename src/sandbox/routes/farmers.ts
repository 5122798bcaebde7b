import { created, type Endpoint, ok } from '../endpoint.ts';
import { object } from '../fields.ts';
import { contains, type Filters, page, time } from '../page.ts';
import { notFound } from '../refusal.ts';
import { addFarmer, type Farmer, farmerFields, showFarmer } from '../resources/farmers.ts';
import { equal } from '../store.ts';

const filters: Filters = {
  first_name: contains('first_name'),
  last_name: contains('last_name'),
  number: contains('number'),
  updated_after: time('updated >'),
  created_after: time('created >'),
};

const farmer = object(farmerFields);

export const farmers: Endpoint[] = [
  {
    method: 'GET',
    template: '/supply-chains/farmers/',
    answer: (session, request) =>
      ok(
        page<Farmer>(session, request, {
          table: 'entity',
          where: [equal('kind', 'farmer'), equal('buyer', session.caller.company)],
          filters,
          order: 'n',
          show: (row) => showFarmer(session, row),
        }),
      ),
  },
  {
    method: 'POST',
    template: '/supply-chains/farmers/',
    answer: (session, { body }) => created(showFarmer(session, addFarmer(session, farmer.read(body, session)))),
  },
  {
    method: 'GET',
    template: '/supply-chains/farmers/{hashid}/',
    answer: (session, { id }) => {
      const found = session.store.get('entity', id, 'farmer') as Farmer | undefined;
      if (found?.buyer !== session.caller.company) throw notFound();
      return ok(showFarmer(session, found));
    },
  },
];
