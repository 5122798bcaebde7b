import { GraphQLError } from 'graphql';
import { codedError } from '../errors/codes.ts';
import type { MutationUpdateUserArgs, Resolvers, UpdateUserInput } from '../generated/graph.ts';
import type { RequestContext } from '../request/context.ts';
import { booleanIn } from './loose-values.ts';
import { guardedWrite, type PrepareWrite } from './prepare-write.ts';

export const users: Resolvers = {
  User: {
    current_policy_accepted: ({ policy_accepted }) => booleanIn(policy_accepted),
  },
};

const update = guardedWrite('updateUser', 'User');

/** Names the probable reason where the service fails on an e-mail. */
export const updateUser: PrepareWrite<MutationUpdateUserArgs> = async ({ id, input }, context) => {
  const write = await update({ id, input }, context);
  return async () => {
    try {
      return await write();
    } catch (error) {
      throw (await emailTaken(error, id, input, context)) ?? error;
    }
  };
};

/**
 * The probable reason of a 500. Real deployments fail on an e-mail that another user has, and store nothing then. The user
 * with another e-mail than the one sent shows that nothing was stored.
 */
async function emailTaken(
  error: unknown,
  id: string,
  { email }: UpdateUserInput,
  { reader }: RequestContext,
): Promise<GraphQLError | undefined> {
  const { code, upstream_status } = error instanceof GraphQLError ? error.extensions : {};
  if (!email || code !== 'OUTCOME_UNKNOWN' || upstream_status !== 500) return undefined;
  const origin = { reason: 'by id', fields: () => ['updateUser'] } as const;
  const user = await reader.read('getUser', { id, isFresh: true }, origin).catch(() => undefined);
  if (!user || String(user.email ?? '').toLowerCase() === email.toLowerCase()) return undefined;
  return codedError('CONFLICT', 'The service failed and stored nothing: the e-mail is probably in use.', {
    fields: [{ path: ['input', 'email'], message: 'Another user probably has this e-mail.' }],
    upstream_status: 500,
  });
}
