import { created, type Endpoints } from './framework/endpoint.ts';
import { type Body, boolean, object, reference, required, text } from './framework/fields.ts';
import { invalid } from './framework/refusal.ts';
import type { Session } from './framework/session.ts';
import { equal, type Row, type TableIndexes } from './framework/store.ts';
import { authorFields, authorship } from './shared/authorship.ts';
import { addUser, showUser, userFields } from './users.ts';

declare module './framework/store.ts' {
  interface Tables {
    member: CompanyMember;
  }
}

export const tables: TableIndexes = { member: ['company', 'user'] };

export const endpoints: Endpoints = {
  createCompanyMember: {
    method: 'POST',
    template: '/supply-chains/company-members/',
    answer: (session, { body }) => {
      if (!session.connect) {
        return created(showMember(session, addMemberWithUser(session, nestedMember.read(body, session))));
      }
      const { user, ...member } = memberOfUser.read(body, session);
      return created(showMember(session, addMember(session, user, member)));
    },
  },
};

const memberFields = { company: reference('entity', 'company'), is_active: boolean, type: text(), ...authorFields };
/** The specification takes a new user, the real service the id of a user. */
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
  return store.insert('member', { id, user, company, type, is_active, ...authorship(session, body) });
}

export function showMember(session: Session, member: CompanyMember) {
  if (session.connect) return member;
  return { ...member, user: session.view('user', member.user, (user) => showUser(session, user)) };
}

const nestedMember = object(nestedMemberFields);
const memberOfUser = object(memberOfUserFields);
