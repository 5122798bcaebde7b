import { GraphQLError } from 'graphql';
import type { MutationCreateCompanyMemberArgs } from '../generated/graph.ts';
import { codedError, type FieldError, fieldsRefused } from '../graphql/errors/codes.ts';
import { bodyWrite, type PrepareWrite, refuseMistakes } from './prepare-write.ts';
import { storageMistakes } from './storable.ts';

/** Newer versions of the service take an existing user's id where older ones take the user itself. */
export const createCompanyMember: PrepareWrite<MutationCreateCompanyMemberArgs> = async ({ input }, context) => {
  await refuseMistakes(context, 'createCompanyMember', () => storageMistakes(input));
  const { user_id, ...body } = input;
  if (user_id == null) {
    const write = await bodyWrite(context, 'createCompanyMember', body);
    return () => write().catch((error) => Promise.reject(wantsId(error)));
  }
  if (body.user != null) {
    const message = 'Give either `user` or `user_id`.';
    throw fieldsRefused('The input contradicts itself', [{ path: ['input', 'user_id'], message }]);
  }
  const rename = (name: string) => (name === 'user' ? 'user_id' : name);
  const write = await bodyWrite(context, 'createCompanyMember', { ...body, user: user_id }, { rename });
  return () => write().catch((error) => Promise.reject(wantsUser(error)));
};

const wantsId = inOtherWords(
  'user',
  /\b(dict|pk|hashid|primary key)\b/i,
  'takes the id of a user that exists: give `user_id` in place of `user`',
);
const wantsUser = inOtherWords('user_id', /\bdictionary\b/i, 'takes a new user: give `user` in place of `user_id`');

/**
 * Names the other argument in the error of a service that takes a user in the other form. `said`: how the service says so,
 * in any language.
 */
function inOtherWords(argument: string, said: RegExp, advice: string): (error: unknown) => unknown {
  const isMeant = ({ path: [input, name], message }: FieldError) =>
    input === 'input' && name === argument && said.test(message);
  return (error) => {
    if (!(error instanceof GraphQLError) || error.extensions.code !== 'BAD_USER_INPUT') return error;
    const fields = (error.extensions.fields ?? []) as FieldError[];
    if (!fields.some(isMeant)) return error;
    return codedError('BAD_USER_INPUT', error.message, {
      ...error.extensions,
      fields: fields.map((field) => (isMeant(field) ? { ...field, message: `This service ${advice}.` } : field)),
    });
  };
}
