import { codedError } from '../errors.ts';
import type { Resolvers } from '../generated/graph.ts';
import { mutate, sendBody } from './root.ts';

export const companyMembers: Resolvers = {
  Mutation: {
    // Newer versions of the service take an existing user's id where older ones take the user itself.
    createCompanyMember: mutate('CompanyMember', ({ input: { user_id, ...body } }, context) => {
      if (user_id == null) return sendBody(context, 'createCompanyMember', body);
      if (body.user != null) throw twoUsers;
      return sendBody(context, 'createCompanyMember', { ...body, user: user_id });
    }),
  },
};

const message = 'Give either `user` or `user_id`.';
const twoUsers = codedError('BAD_USER_INPUT', message, { fields: [{ path: ['input', 'user_id'], message }] });
