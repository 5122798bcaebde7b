import {
  type Body,
  date,
  email,
  ignoredInConnect,
  nullable,
  number,
  phone,
  reference,
  required,
  text,
} from '../fields.ts';
import { decodeId } from '../ids.ts';
import type { Session } from '../session.ts';
import type { Row } from '../store.ts';
import { authorship, datedAuthorFields } from './authorship.ts';
import { showEntityCard } from './entity-cards.ts';
import { showSubmission } from './submissions.ts';

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
  // The real service links a new farmer to the caller's active company, whatever the body says.
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
  buyer: string;
  creator: string;
  updater: string;
}

/** `extras` are what only the seed may set. */
export function addFarmer(
  session: Session,
  body: FarmerBody,
  extras: Partial<Pick<Farmer, 'consent_status' | 'submission' | 'image'>> = {},
): Farmer {
  const id = session.store.nextId('entity');
  return session.store.insert('entity', 'farmer', {
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
    number: body.number || String((decodeId(id) as number) + 1000),
    last_name: body.last_name ?? (session.connect ? '' : null),
    buyer: body.buyer ?? session.caller.company,
    image: null,
    consent_status: 'GRANTED',
    entity_card: null,
    submission: null,
    ...extras,
    ...authorship(session, body),
  });
}

const connectExtras = { plots: [], meta_data: {}, linked_services: [], only_connect: false };

export function showFarmer(session: Session, farmer: Farmer) {
  return {
    ...farmer,
    entity_card: showEntityCard(session, farmer.entity_card),
    submission: showSubmission(session, farmer.submission),
    ...(session.connect && connectExtras),
  };
}
