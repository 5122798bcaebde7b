import { showEntityCard } from './entity-cards.ts';
import { created, type Endpoints, ok } from './framework/endpoint.ts';
import {
  type Body,
  date,
  email,
  ignoredInConnect,
  nullable,
  number,
  object,
  phone,
  reference,
  required,
  text,
} from './framework/fields.ts';
import { contains, exactly, type Filters, ignored, page, time } from './framework/page.ts';
import { notFound } from './framework/refusal.ts';
import type { Session } from './framework/session.ts';
import { equal, ofKind, type Row } from './framework/store.ts';
import { authorship, datedAuthorFields } from './shared/authorship.ts';
import { showSubmission } from './shared/submissions.ts';

export const endpoints: Endpoints = {
  listFarmers: {
    method: 'GET',
    template: '/supply-chains/farmers/',
    answer: (session, request) =>
      ok(
        page(session, request, {
          table: 'entity',
          where: [ofKind('farmer'), equal('buyer', session.caller.company)],
          filters,
          newerFilters,
          olderFilters,
          order: 'n',
          show: (row: Farmer) => showFarmer(session, row),
        }),
      ),
  },
  createFarmer: {
    method: 'POST',
    template: '/supply-chains/farmers/',
    answer: (session, { body }) => created(showFarmer(session, addFarmer(session, farmer.read(body, session)))),
  },
  getFarmer: {
    method: 'GET',
    template: '/supply-chains/farmers/{hashid}/',
    answer: (session, { id }) => {
      const found = session.store.get('entity', id, 'farmer') as Farmer | undefined;
      if (found?.buyer !== session.caller.company) throw notFound();
      return ok(showFarmer(session, found));
    },
  },
};

const place = text({ max: 500 });

export const farmerFields = {
  first_name: required(text({ min: 1, max: 100 })),
  phone: phone(),
  description: nullable(text({ max: 500 })),
  house_name: nullable(text({ max: 100 })),
  street: nullable(place),
  city: nullable(place),
  sub_province: nullable(place),
  province: { ...nullable(place), requiredIn: 'connect' as const },
  latitude: number,
  longitude: number,
  zipcode: nullable(text({ max: 50 })),
  country: { ...nullable(place), requiredIn: 'connect' as const },
  number: nullable(text({ max: 10 })),
  email: nullable(email(100)),
  identification_no: nullable(text({ max: 100 })),
  reference_number: nullable(text({ max: 100 })),
  last_name: nullable(text({ max: 100 })),
  date_of_birth: nullable(date),
  gender: nullable(text({ max: 50 })),
  // The real service ignores it, and takes the active company of the caller.
  buyer: ignoredInConnect(nullable(reference('entity', 'company'))),
  ...datedAuthorFields,
};

type FarmerBody = Body<typeof farmerFields>;
export interface Farmer extends Omit<Required<FarmerBody>, 'buyer' | 'creator' | 'updater'>, Row {
  created_on: string;
  image: string | null;
  consent_status: string;
  entity_card: string | null;
  submission: string | null;
  /** GeoJSON features. */
  plots: readonly object[];
  buyer: string;
  creator: string;
  updater: string;
}

/** `extras` are properties that clients cannot set. */
export function addFarmer(
  session: Session,
  body: FarmerBody,
  extras: Partial<Pick<Farmer, 'consent_status' | 'submission' | 'image' | 'plots'>> = {},
): Farmer {
  const id = session.store.nextId('entity');
  const farmer: Farmer = {
    phone: null,
    description: null,
    house_name: null,
    street: null,
    city: null,
    sub_province: null,
    province: null,
    latitude: 0,
    longitude: 0,
    zipcode: null,
    country: null,
    email: null,
    identification_no: null,
    reference_number: null,
    date_of_birth: null,
    gender: null,
    ...body,
    id,
    number: body.number || String(session.store.nextNumber('entity') + 1000),
    last_name: body.last_name ?? (session.connect ? '' : null),
    buyer: body.buyer ?? session.caller.company,
    image: null,
    consent_status: 'GRANTED',
    entity_card: null,
    submission: null,
    plots: [],
    ...extras,
    ...authorship(session, body),
  };
  return session.store.insert('entity', farmer, 'farmer');
}

const connectExtras = { meta_data: {}, linked_services: [], only_connect: false };

export function showFarmer(session: Session, { plots, ...farmer }: Farmer) {
  return {
    ...farmer,
    image: session.urlOf(farmer.image),
    entity_card: showEntityCard(session, farmer.entity_card),
    submission: showSubmission(session, farmer.submission),
    ...(session.connect && { plots, ...connectExtras }),
  };
}

const filters: Filters = {
  first_name: contains('first_name'),
  last_name: contains('last_name'),
  number: contains('number'),
  updated_after: time('updated >'),
  created_after: time('created >'),
};

const newerFilters: Filters = {
  reference_number: exactly('reference_number'),
  entity: exactly('buyer'),
};

/** The older version of the real service has other names. */
const olderFilters: Filters = {
  first_name: ignored,
  last_name: ignored,
  number: ignored,
  first_name__icontains: contains('first_name'),
  last_name__icontains: contains('last_name'),
  number__icontains: contains('number'),
};

const farmer = object(farmerFields);
