import { codedError } from '@gateway/base';
import type { Explain } from '@gateway/rest-graph';
import type { MutationUpdateUserArgs } from '../generated/graph.ts';

/**
 * The probable reason of a 500. Real deployments fail on an e-mail that another user has, and store nothing then. The user
 * with another e-mail than the one sent shows that nothing was stored.
 */
export const emailTaken: Explain<MutationUpdateUserArgs> = async (error, { id, input: { email } }, { reader }) => {
  const { code, upstream_status } = error.extensions;
  if (!email || code !== 'OUTCOME_UNKNOWN' || upstream_status !== 500) return undefined;
  const origin = { reason: 'by id', fields: () => ['updateUser'] } as const;
  const user = await reader.read('getUser', { id, isFresh: true }, origin).catch(() => undefined);
  if (!user || String(user.email ?? '').toLowerCase() === email.toLowerCase()) return undefined;
  return codedError('CONFLICT', 'The service failed and stored nothing: the e-mail is probably in use.', {
    fields: [{ path: ['input', 'email'], message: 'Another user probably has this e-mail.' }],
    upstream_status: 500,
  });
};
