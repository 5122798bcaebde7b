import { setTimeout as pause } from 'node:timers/promises';
import { readToken } from '../../../packages/sandbox/framework/tokens.ts';
import { type FakeRequest, type FakeUpstream, type Reply, startFakeUpstream } from '../../support/fake-upstream.ts';
import { bearerOf } from '../../support/tokens.ts';

/** Two users who each act for two companies, in two roles. */
export const callers: readonly TokenCaller[] = ['A', 'B'].flatMap((user) =>
  ['C1', 'C2'].flatMap((company) =>
    ['ADMIN', 'REPORTER'].map((memberType) => ({
      user,
      company,
      memberType,
      mark: `${user}:${company}:${memberType}:`,
    })),
  ),
);

export interface TokenCaller {
  user: string;
  company: string;
  memberType: string;
  /** Text that stands in all texts of all answers to the caller, and in no other answer. */
  mark: string;
}

export interface TokenService extends FakeUpstream {
  /** The texts of all POSTs, with the mark of their caller. */
  readonly posts: readonly string[];
  tokenOf(caller: TokenCaller): string;
  /** Signs a session out. */
  revoke(authorization: string): void;
}

/**
 * Starts a service that knows callers by their tokens. Its ids are the same for all callers. Each POST makes the caller's lists of
 * cards one longer. It answers late, in no order, and fails now and then. `random` gives numbers from 0 to 1.
 */
export async function startTokenService(random: () => number): Promise<TokenService> {
  const revoked = new Set<string>();
  const posts: string[] = [];
  const postsOf = ({ mark }: TokenCaller) => posts.filter((post) => post.startsWith(mark)).length;
  const service = await startFakeUpstream({
    async respond(request) {
      const caller = callerOf(request, revoked);
      if (!caller) return { status: 401, body: '{"detail":"Authentication credentials were not provided."}' };
      if (request.method === 'POST') {
        const text = caller.mark + JSON.parse(request.body).card.card_id;
        posts.push(text);
        const body = JSON.stringify({ id: `E${posts.length}`, card: { id: 'K1', card_id: text }, entity: 'F1' });
        await pause(4 * random());
        return { status: 201, body };
      }
      const answer = answerTo(request, caller, postsOf(caller));
      await pause(4 * random());
      if (random() < 0.02) return { status: 503, body: '{"detail":"Not now."}' };
      // The session may have ended while the service was working.
      return callerOf(request, revoked) ? answer : { status: 401, body: '{"detail":"Token is invalid."}' };
    },
  });
  return Object.assign(service, {
    posts,
    tokenOf: ({ user, company, memberType }: TokenCaller) => bearerOf({ user, company }, { memberType }),
    revoke: (authorization: string) => void revoked.add(authorization),
  });
}

function callerOf(
  { headers: { authorization = '' } }: FakeRequest,
  revoked: ReadonlySet<string>,
): TokenCaller | undefined {
  const session = revoked.has(authorization) ? undefined : readToken(authorization.slice(7), 'access')?.session_data;
  return callers.find(
    ({ user, company, memberType }) =>
      session?.user_id === user && session.entity_id === company && session.member_type === memberType,
  );
}

function answerTo({ path }: FakeRequest, { mark }: TokenCaller, posts: number): Reply {
  const { pathname, searchParams } = new URL(path, 'http://service');
  const [, , kind = '', id = ''] = pathname.split('/');
  const rowOf = (id: string) => ({
    id,
    ...Object.fromEntries(
      ['first_name', 'name', 'email', 'code', 'display_id', 'card_id'].map((name) => [name, mark + id]),
    ),
  });
  if (id !== '') return { body: JSON.stringify(rowOf(id)) };
  const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
  const count = kind === 'connect-cards' ? posts : 30;
  const results = Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (_, index) =>
    rowOf(`R${offset + index}`),
  );
  return { body: JSON.stringify({ count, next: null, previous: null, results }) };
}
