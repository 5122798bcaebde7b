import { created, type Endpoint } from '../endpoint.ts';
import { object } from '../fields.ts';
import {
  addMember,
  addMemberWithUser,
  memberOfUserFields,
  nestedMemberFields,
  showMember,
} from '../resources/company-members.ts';

const nestedMember = object(nestedMemberFields);
const memberOfUser = object(memberOfUserFields);

export const companyMembers: Endpoint[] = [
  {
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
];
