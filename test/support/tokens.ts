import { encodeId } from '../../packages/sandbox/framework/ids.ts';
import { buyer, coop } from '../../packages/sandbox/framework/keys.ts';
import { claimsFor, signToken, type TokenOptions } from '../../packages/sandbox/framework/tokens.ts';
import type { FakeRequest, Reply } from './fake-upstream.ts';
import type { Gateway } from './harness.ts';

/** The claims that make a caller of the real service. */
export const callerClaims = 'user_id,session_data.entity_id,session_data.member_type';

/** The seeded users of the cooperative and of the buyer, with the companies that they work for. */
export const people = {
  abena: coop,
  theogene: { user: encodeId(2), company: coop.company },
  maartje: buyer,
};

/** A new `Authorization` of a user: no two are equal. `claims` replaces claims; `secret` signs. */
export function bearerOf(
  person: { user: string; company: string },
  { claims = {}, secret, ...options }: TokenOptions & { claims?: object; secret?: string } = {},
): string {
  return `Bearer ${signToken({ ...claimsFor(person, options), ...claims }, secret)}`;
}

/** The same claims in a token that nobody has signed. */
export function unsigned(authorization: string): string {
  const [, payload = ''] = authorization.split('.');
  return `Bearer ${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`;
}

/** The answer of a service to a token whose signature is wrong; undefined for a good one. */
export function refuseForged({ headers: { authorization = '' } }: FakeRequest): Reply | undefined {
  const [, payload = ''] = authorization.split('.');
  const isSigned = authorization === `Bearer ${signToken(JSON.parse(Buffer.from(payload, 'base64url').toString()))}`;
  return isSigned ? undefined : { status: 401, body: '{"detail":"Given token not valid for any token type"}' };
}

/** Lets a gateway find out whether the service refuses a wrong signature, which it asks once. */
export async function proveSignatures(gateway: Pick<Gateway, 'query'>): Promise<void> {
  await gateway.query('{ farmers { count } }', {}, { key: bearerOf(people.maartje) });
}
