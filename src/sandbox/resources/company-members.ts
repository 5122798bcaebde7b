import { type Body, boolean, object, reference, required, text } from '../fields.ts';
import { invalid } from '../refusal.ts';
import type { Session } from '../session.ts';
import { equal, type Row } from '../store.ts';
import { authorFields, authorship } from './authorship.ts';
import { addUser, showUser, type User, userFields } from './users.ts';

const memberFields = { company: reference('entity', 'company'), is_active: boolean, type: text(), ...authorFields };
/** The specification nests the user; the newest real service wants one that exists. */
export const nestedMemberFields = { ...memberFields, user: required(object(userFields)) };
export const memberOfUserFields = { ...memberFields, user: required(reference('user')) };

type MemberBody = Body<typeof memberFields>;

export interface CompanyMember extends Row {
  user: string;
  company: string;
  type: string;
  is_active: boolean;
  creator: string;
  updater: string;
}

export function addMemberWithUser(session: Session, { user, ...body }: Body<typeof nestedMemberFields>): CompanyMember {
  return addMember(session, addUser(session, user).id, body);
}

export function addMember(session: Session, user: string, body: MemberBody): CompanyMember {
  const { company = session.caller.company, is_active = true, type = 'ADMIN' } = body;
  const store = session.store;
  if (session.connect && store.count('member', [equal('user', user), equal('company', company)]) > 0) {
    throw invalid({ non_field_errors: ['The fields company, user must make a unique set.'] });
  }
  const id = store.nextId('member');
  return store.insert('member', 'member', { id, user, company, type, is_active, ...authorship(session, body) });
}

export function showMember(session: Session, member: CompanyMember) {
  if (session.connect) return member;
  return { ...member, user: session.view<User, unknown>('user', member.user, (user) => showUser(session, user)) };
}
