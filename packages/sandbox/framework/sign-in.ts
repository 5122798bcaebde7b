import type { FastifyInstance } from 'fastify';
import type { User } from '../users.ts';
import { basePaths, type Dialect, successBody } from './dialect.ts';
import { invalid, refused } from './refusal.ts';
import { equal, type Store } from './store.ts';
import { claimsFor, readToken, signToken } from './tokens.ts';

/** The password of all users. */
const password = 'sandbox';

/** Serves the paths that give tokens. A refresh chooses the active company, which lives in the token. */
export function serveSignIn(
  app: FastifyInstance,
  { store, dialect, tokenSeconds }: { store: Store; dialect: Dialect; tokenSeconds: number },
): void {
  app.post(`${basePaths[dialect]}/auth/login/`, async ({ body }, reply) => {
    const { username, password: sent, device_id: device } = textsOf(body, ['username', 'password', 'device_id']);
    const [user] = store.list('user', [{ sql: "doc ->> 'email' = ?", values: [username ?? ''] }]);
    if (!user || sent !== password) throw refused(401, 'No active account found with the given credentials');
    return reply.type('application/json').send(successBody(dialect, 200, tokensFor(user, user.default_entity, device)));
  });

  app.post(`${basePaths[dialect]}/auth/token/refresh/`, async ({ body }, reply) => {
    const { refresh = '', entity = '' } = textsOf(body, ['refresh', 'entity']);
    const { user_id = '', session_data } = readToken(refresh, 'refresh') ?? {};
    const user = store.get('user', user_id);
    if (!user) throw refused(401, 'Token is invalid or expired');
    return reply
      .type('application/json')
      .send(successBody(dialect, 200, tokensFor(user, entity, session_data?.device)));
  });

  function tokensFor({ id }: User, company: string | null, device = '') {
    const member = store.list('member', [equal('user', id)]).find((each) => each.company === company);
    if (!member) throw invalid({ entity: ['The user is no member of this company.'] });
    const caller = { user: id, company: member.company };
    const options = { memberType: member.type, device, seconds: tokenSeconds };
    return {
      access: signToken(claimsFor(caller, options)),
      refresh: signToken(claimsFor(caller, { ...options, type: 'refresh' })),
      user_id: id,
      entity_id: member.company,
      expires_in: tokenSeconds,
      is_granted: true,
    };
  }
}

function textsOf(body: unknown, names: string[]): Record<string, string> {
  const sent = (body ?? {}) as Record<string, unknown>;
  const missing = names.filter((name) => typeof sent[name] !== 'string' || sent[name] === '');
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map((name) => [name, ['This field is required.']])));
  return sent as Record<string, string>;
}
