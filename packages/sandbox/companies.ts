import { currencyField, currencyText, findCurrency, showCurrency } from './catalogs.ts';
import { showEntityCard } from './entity-cards.ts';
import type { Farmer } from './farmers.ts';
import { showForm } from './forms.ts';
import { created, type Endpoints, ok } from './framework/endpoint.ts';
import {
  type Body,
  boolean,
  email,
  ignoredInConnect,
  nullable,
  number,
  object,
  partial,
  phone,
  reference,
  required,
  text,
} from './framework/fields.ts';
import { Crash, notFound, Refusal } from './framework/refusal.ts';
import type { Session } from './framework/session.ts';
import { equal, ofKind, type Row, type TableIndexes } from './framework/store.ts';
import { authorship, datedAuthorFields, revision } from './shared/authorship.ts';

declare module './framework/store.ts' {
  interface Tables {
    entity: Company | Farmer;
    visibility: FieldVisibility;
  }
}

export const tables: TableIndexes = { entity: ['buyer'], visibility: ['company'] };

export const endpoints: Endpoints = {
  createCompany: {
    method: 'POST',
    template: '/supply-chains/companies/',
    answer: (session, { body }) => {
      const sent = company.read(named(session, body), session);
      const same = [ofKind('company'), equal('name', sent.name)];
      const [existing] = session.connect ? (session.store.list('entity', same) as Company[]) : [];
      // The real service answers a name that exists, of any tenant, with the company of that name.
      if (existing) return ok(showCompanyDetail(session, existing));
      return created(showCompany(session, addCompany(session, sent)));
    },
  },
  getCompany: {
    method: 'GET',
    template: '/supply-chains/companies/{hashid}/',
    answer: (session, { id }) => ok(showCompanyDetail(session, find(session, id))),
  },
  updateCompany: {
    method: 'PATCH',
    template: '/supply-chains/companies/{hashid}/',
    answer: (session, { id, body }) => {
      const found = find(session, id);
      return ok(showCompany(session, changeCompany(session, found, changes.read(body, session))));
    },
  },
};

const place = text({ max: 500 });

export const companyFields = {
  name: required(text({ min: 1, max: 500 })),
  currency: currencyField,
  description: text({ max: 500 }),
  house_name: text({ max: 100 }),
  street: place,
  city: place,
  sub_province: place,
  province: place,
  latitude: number,
  longitude: number,
  zipcode: text({ max: 50 }),
  country: place,
  email: email(100),
  phone: phone(50),
  buy_enabled: boolean,
  sell_enabled: boolean,
  quality_correction: boolean,
  allow_multiple_login: boolean,
  buyer: ignoredInConnect(nullable(reference('entity', 'company'))),
  entity_card: nullable(reference('entity_card')),
  ...datedAuthorFields,
};

type CompanyBody = Body<typeof companyFields>;
export interface Company extends Omit<Required<CompanyBody>, 'currency' | 'creator' | 'updater'>, Row {
  created_on: string;
  currency: string | null;
  image: string | null;
  products: string[];
  creator: string;
  updater: string;
}

export interface FieldVisibility extends Row {
  name: string;
  company: string;
  visibility: boolean;
  type: string;
  creator: string;
  updater: string;
}

export function addCompany(session: Session, body: CompanyBody): Company {
  const company: Company = {
    description: '',
    house_name: '',
    street: '',
    city: '',
    sub_province: '',
    province: '',
    latitude: 0,
    longitude: 0,
    zipcode: '',
    country: '',
    email: '',
    phone: '',
    buy_enabled: true,
    sell_enabled: true,
    quality_correction: false,
    allow_multiple_login: true,
    entity_card: null,
    ...body,
    id: session.store.nextId('entity'),
    buyer: body.buyer ?? null,
    currency: body.currency === undefined ? null : findCurrency(session, body.currency),
    image: null,
    products: [],
    ...authorship(session, body),
  };
  return session.store.insert('entity', company, 'company');
}

export function changeCompany(session: Session, company: Company, changes: Partial<CompanyBody>): Company {
  if (session.connect && changes.currency !== undefined) throw new Crash();
  const { creator, ...others } = changes;
  return session.store.update('entity', {
    ...company,
    ...others,
    creator: creator ?? company.creator,
    ...revision(session, changes),
  });
}

/** The answer to POST and PATCH, with references as ids. */
export function showCompany(session: Session, company: Company) {
  const shape = { ...company, image: session.urlOf(company.image), members: memberIds(session, company) };
  if (!session.connect) return shape;
  const { buyer: _buyer, ...withoutBuyer } = shape;
  return { ...withoutBuyer, currency: currencyText(session, company.currency), ...connectExtras };
}

const connectExtras = { only_connect: false, theme_info: {}, make_farmers_private: false };

/** The answer to GET, with references as objects. */
export function showCompanyDetail(session: Session, company: Company) {
  const { store } = session;
  const detail = {
    ...company,
    image: session.urlOf(company.image),
    currency: showCurrency(session, company.currency),
    buyer: showBuyer(session, company.buyer),
    entity_card: showEntityCard(session, company.entity_card),
    forms: store.list('form', [equal('owner', company.id)]).map(({ id }) => showForm(session, id)),
    field_visibilties: store.list('visibility', [equal('company', company.id)]),
    owned_premiums: store.list('premium', [equal('owner', company.id)]).map(({ id }) => id),
    members: memberIds(session, company),
  };
  if (!session.connect) return detail;
  const { field_visibilties: _absent, forms, buyer, ...others } = detail;
  return {
    ...others,
    forms: forms.map((form) => ({ ...form, owner: undefined })),
    buyer: buyer && { ...buyer, entity_card: buyer.entity_card ? [buyer.entity_card] : [] },
    buyers: buyer ? [{ ...buyer, is_default: true }] : [],
    is_default: true,
    ...connectExtras,
  };
}

function showBuyer(session: Session, id: string | null) {
  const buyer = id === null ? undefined : (session.store.get('entity', id) as Company);
  if (!buyer) return null;
  const { name, description } = buyer;
  const image = session.innerUrlOf(buyer.image);
  return { id: buyer.id, name, entity_card: showEntityCard(session, buyer.entity_card), image, description };
}

function memberIds(session: Session, company: Company): string[] {
  return session.store.list('member', [equal('company', company.id)]).map(({ user }) => user);
}

const company = object(companyFields);
const changes = partial(companyFields);

function find(session: Session, id: string): Company {
  const found = session.store.get('entity', id, 'company') as Company | undefined;
  if (!found) throw notFound();
  return found;
}

/** Refuses a body without a name: the one field error that the real service does not put into a list. */
function named(session: Session, body: unknown): unknown {
  const isNameless = typeof body === 'object' && body !== null && !('name' in body);
  if (session.connect && isNameless) throw new Refusal(400, { name: 'This field is required.' });
  return body;
}
