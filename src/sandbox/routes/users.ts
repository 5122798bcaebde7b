import { type Endpoint, ok } from '../endpoint.ts';
import { partial } from '../fields.ts';
import { notFound } from '../refusal.ts';
import { changeUser, showUser, type User, userFields } from '../resources/users.ts';
import type { Session } from '../session.ts';

const changes = partial(userFields);

export const users: Endpoint[] = [
  {
    method: 'GET',
    template: '/accounts/users/{hashid}/',
    answer: (session, { id }) => ok(showUser(session, find(session, id))),
  },
  {
    method: 'PATCH',
    template: '/accounts/users/{hashid}/',
    answer: (session, { id, body }) => {
      const found = find(session, id);
      return ok(showUser(session, changeUser(session, found, changes.read(body, session))));
    },
  },
];

function find(session: Session, id: string): User {
  const found = session.store.get('user', id) as User | undefined;
  if (!found) throw notFound();
  return found;
}
