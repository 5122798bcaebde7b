import type { Resolvers } from '../generated/graph.ts';
import { fieldsRefused } from '../graphql/errors/codes.ts';
import { bodyWrite, mutate } from './root.ts';

export const companyMembers: Resolvers = {
  Mutation: {
    // Newer versions of the service take an existing user's id where older ones take the user itself.
    createCompanyMember: mutate('CompanyMember', async ({ input: { user_id, ...body } }, context) => {
      if (user_id == null) return bodyWrite(context, 'createCompanyMember', body);
      if (body.user != null) {
        const message = 'Give either `user` or `user_id`.';
        throw fieldsRefused('The input contradicts itself', [{ path: ['input', 'user_id'], message }]);
      }
      const rename = (name: string) => (name === 'user' ? 'user_id' : name);
      return bodyWrite(context, 'createCompanyMember', { ...body, user: user_id }, { rename });
    }),
  },
};
