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
  return bodyWrite(context, 'createCompanyMember', { ...body, user: user_id }, { rename });
};

/** How the service says, in any language, that it takes a key in place of an object. */
const keyWanted = /\b(dict|pk|hashid|primary key)\b/i;

/** Names `user_id` in the error of a service that refuses a new user in place of an id. */
function wantsId(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.extensions.code !== 'BAD_USER_INPUT') return error;
  const fields = (error.extensions.fields ?? []) as FieldError[];
  if (!fields.some(isOfUser)) return error;
  const message = 'This service takes the id of a user that exists: give `user_id` in place of `user`.';
  return codedError('BAD_USER_INPUT', error.message, {
    ...error.extensions,
    fields: fields.map((field) => (isOfUser(field) ? { ...field, message } : field)),
  });
}

function isOfUser({ path, message }: FieldError): boolean {
  return path.join('.') === 'input.user' && keyWanted.test(message);
}
