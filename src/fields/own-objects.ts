import { codedError } from '@gateway/base';
import { byId, type RequestContext } from '@gateway/rest-graph';
import { claimAt, claimsOf } from '@gateway/upstream';
import { settingsOf } from '../app-settings.ts';
import type { Resolvers } from '../generated/graph.ts';

/** The user and the company that the caller's token names. The service decides whether the token may read them. */
export const ownObjects: Resolvers = {
  Query: {
    me: byId('User', (_args, context) => claimedId(context, settingsOf(context).claims.me, 'ME_CLAIM')),
    activeCompany: byId('Company', (_args, context) =>
      claimedId(context, settingsOf(context).claims.company, 'COMPANY_CLAIM'),
    ),
  },
};

/** @throws NOT_FOUND */
function claimedId({ caller, service }: RequestContext, path: string | undefined, setting: string): string {
  if (path === undefined) {
    const field = setting === 'ME_CLAIM' ? 'user' : 'company';
    const why = `The setting ${setting} is empty, so no claim of the token has this id: ask for \`${field}(id:)\`.`;
    throw codedError('NOT_FOUND', why);
  }
  const id = claimAt(claimsOf(caller), path);
  if (id !== undefined) return String(id.startsWith('"') ? JSON.parse(id) : id);
  const { header } = service.upstream.contract.data.key;
  throw codedError('NOT_FOUND', `${header} is not \`Bearer <JWT>\` with the claim ${path} (${setting}).`);
}
