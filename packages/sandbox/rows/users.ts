import { addMember, memberOfUserFields } from '../company-members.ts';
import { object } from '../framework/fields.ts';
import { coop } from '../framework/keys.ts';
import type { CompanyMemberRow, UserRow } from '../framework/options.ts';
import { addUser, currentPolicy, userFields } from '../users.ts';
import { personOf } from './people.ts';
import { rowSource } from './row-source.ts';

export const users = rowSource<UserRow>()({
  table: 'user',
  fields: userFields,
  field: object(userFields),
  fill(_row, { n }) {
    const { first_name, last_name, mailbox } = personOf(n);
    const email = `${mailbox}${n + 1}@staff.example`;
    return { first_name, last_name, email, accepted_policy: currentPolicy, default_entity: coop.company };
  },
  add: addUser,
});

export const companyMembers = rowSource<CompanyMemberRow>()({
  table: 'member',
  fields: memberOfUserFields,
  field: object(memberOfUserFields),
  fill: ({ user }, place) => ({ company: coop.company, user: user ?? place.own('users').id }),
  add: (session, { user, ...member }) => addMember(session, user, member),
});
