import type { Company } from './companies.ts';
import { type Endpoints, ok } from './framework/endpoint.ts';
import {
  type Body,
  date,
  email,
  ignoredInConnect,
  nullable,
  partial,
  phone,
  reference,
  text,
} from './framework/fields.ts';
import { encodeId } from './framework/ids.ts';
import { Crash, notFound } from './framework/refusal.ts';
import type { Session } from './framework/session.ts';
import { equal, type Row, type TableIndexes } from './framework/store.ts';

declare module './framework/store.ts' {
  interface Tables {
    user: User;
  }
}

export const tables: TableIndexes = { user: [] };

export const endpoints: Endpoints = {
  getUser: {
    method: 'GET',
    template: '/accounts/users/{hashid}/',
    answer: (session, { id }) => ok(showUser(session, find(session, id))),
  },
  updateUser: {
    method: 'PATCH',
    template: '/accounts/users/{hashid}/',
    answer: (session, { id, body }) => {
      const found = find(session, id);
      return ok(showUser(session, changeUser(session, found, changes.read(body, session))));
    },
  },
};

export const userFields = {
  first_name: text({ max: 150 }),
  last_name: text({ max: 150 }),
  email: email(254),
  dob: nullable(date),
  phone: phone(),
  address: text({ max: 2000 }),
  updated_email: email(254),
  // The real service ignores it in this body.
  default_entity: ignoredInConnect(nullable(reference('entity'))),
  accepted_policy: nullable(text()),
  language: text({ min: 1 }),
};

export type User = Row & Required<Body<typeof userFields>> & { image: string | null };

/** The id of the one policy. No endpoint shows more of it. */
export const currentPolicy = encodeId(1);

export function addUser(session: Session, body: Body<typeof userFields>): User {
  const now = session.now();
  return session.store.insert('user', {
    first_name: '',
    last_name: '',
    email: '',
    dob: null,
    phone: '',
    address: '',
    updated_email: '',
    default_entity: null,
    accepted_policy: null,
    language: 'en',
    ...body,
    id: session.store.nextId('user'),
    image: null,
    created_on: now,
    updated_on: now,
  });
}

export function changeUser(session: Session, user: User, changes: Partial<Body<typeof userFields>>): User {
  if (session.connect) {
    const taken = { sql: "doc ->> 'email' = ? AND doc ->> 'id' <> ?", values: [changes.email ?? '', user.id] };
    if (changes.email && session.store.count('user', [taken]) > 0) throw new Crash();
    if ((changes.language ?? '').length > 10) throw new Crash();
  }
  return session.store.update('user', { ...user, ...changes, updated_on: session.now() });
}

export function showUser(session: Session, user: User) {
  const { created_on: _created, updated_on: _updated, ...fields } = user;
  const memberships = session.store.list('member', [equal('user', user.id)]);
  const accepted = user.accepted_policy === currentPolicy;
  return {
    ...fields,
    image: session.urlOf(user.image),
    managing_entitys: session.connect
      ? memberships.map(({ company, type }) => managedCompany(session, company, type))
      : memberships.map(({ company }) => company),
    policy_accepted: session.connect ? accepted : String(accepted),
    current_policy: currentPolicy,
  };
}

function managedCompany(session: Session, id: string, member_role: string) {
  const { name, image, email } = session.store.get('entity', id) as Company;
  return { id, name, member_role, image: session.innerUrlOf(image), email };
}

const changes = partial(userFields);

function find(session: Session, id: string): User {
  const found = session.store.get('user', id);
  if (!found) throw notFound();
  return found;
}
