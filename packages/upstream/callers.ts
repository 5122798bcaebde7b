import {
  atMost,
  type Caller,
  type CallerHeaders,
  callerOf,
  digestOf,
  newcomers,
  sentHeaders,
  strangers,
} from '@gateway/base';
import type { Contract } from '@gateway/contract';
import { LRUCache } from 'lru-cache';
import { claimAt, claimsOf, signInClaimsOf, withOtherSignature } from './claims.ts';
import type { UpstreamClock } from './clock.ts';
import type { UpstreamEvents } from './events.ts';
import type { CallReason } from './request.ts';
import { SignatureProof } from './signature-proof.ts';

const maxTokens = 20_000;
const maxRefusals = 10_000;
/** The service may end a session before its token expires. */
const maxAgeMs = 3_600_000;
/** A token that the service has refused may be one that it takes a moment later. */
const refusalMs = 10_000;
/** The service's clock is read from its `Date`, which is cut to the second. */
const clockErrorMs = 1_000;
/** One token comes with few values of the other headers. */
const maxDigestsOfToken = 10;

interface AcceptedToken {
  /** Milliseconds of performance.now(). */
  until: number;
  /** The key of the caller, by the digest of the token with other headers. Undefined without claims. */
  keys: Map<string, string> | undefined;
}

/**
 * Finds the caller of a request. Without claims, each key is a caller. With them, all tokens of equal
 * claims are one. Claims may be made up. They count when the service has accepted the token with the same headers. The read that
 * shows this has to refuse tokens with a wrong signature.
 */
export class Callers {
  readonly #contract: Contract;
  readonly #paths: readonly string[];
  readonly #clock: UpstreamClock;
  /** By the digest of the token. The cache's own times to live would cost a timer for each request. */
  readonly #accepted = new LRUCache<string, AcceptedToken>(atMost(maxTokens));
  /** By the digest of the token: when the service last refused it, in milliseconds of performance.now(). */
  readonly #refused = new LRUCache<string, number>(atMost(maxRefusals));
  /** Digests of the claims of accepted tokens. */
  readonly #claims = new LRUCache<string, true>(atMost(maxTokens));
  readonly proof: SignatureProof;

  /** `paths`: the claims that make a caller. */
  constructor(contract: Contract, paths: readonly string[], clock: UpstreamClock, events: UpstreamEvents) {
    this.#contract = contract;
    this.#paths = paths;
    this.#clock = clock;
    this.proof = new SignatureProof(() => {
      this.#accepted.clear();
      this.#claims.clear();
      events.emit('claimsForgeable');
    });
    events.on('callEnd', ({ request: { caller, origin }, beganAt }, error) => {
      const isKnown = !caller.isUnknown && caller.share === caller.keyDigest;
      if (error === undefined && !isKnown) this.remember(caller, beganAt, origin.reason);
    });
  }

  get useClaims(): boolean {
    return this.#paths.length > 0 && this.proof.holds !== false;
  }

  /** A caller that `callerOf` has made, as the gateway knows it now. `ofRequest`: more headers of its calls. */
  known(caller: Caller, ofRequest?: CallerHeaders): Caller {
    if (ofRequest) caller.sent = sentHeaders(caller.headers, ofRequest);
    caller.share = this.#shareOf(caller);
    if (!this.useClaims || caller.key === '') return caller;
    const keyDigest = this.#acceptedOf(caller.tokenDigest)?.keys?.get(caller.digest);
    const counts = keyDigest !== undefined && (this.proof.holds || keyDigest === caller.tokenDigest);
    return counts ? withKey(caller, keyDigest) : { ...caller, isUnknown: true };
  }

  /** The token says that it has expired: what the service gave for it counts no more. */
  hasExpired(caller: Caller): boolean {
    return expiryOf(caller) <= this.#clock.at(performance.now());
  }

  /** The caller with a wrong signature in its token, which has claims. */
  forged({ key, headers, sent }: Caller): Caller {
    const { keyHeader } = this.#contract;
    const forged = { [keyHeader]: withOtherSignature(key) };
    return { ...callerOf({ ...headers, ...forged }, keyHeader), sent: { ...sent, ...forged } };
  }

  /** Whether the service accepts the caller's key. Undefined where it has not said so, or has refused the key long ago. */
  isAccepted({ tokenDigest, digest, isUnknown }: Caller): boolean | undefined {
    const accepted = this.#acceptedOf(tokenDigest);
    if (accepted && (!isUnknown || accepted.keys?.has(digest))) return true;
    const refusedAt = this.#refused.get(tokenDigest);
    return refusedAt !== undefined && performance.now() - refusedAt < refusalMs ? false : undefined;
  }

  /** Whether the claims of the caller's token would make it another caller. */
  hasClaims(caller: Caller): boolean {
    return this.#claimsDigest(caller) !== undefined;
  }

  /** The caller whose token the service has accepted just now. */
  accepted(caller: Caller): Caller {
    return withKey(caller, this.#claimsDigest(caller) ?? caller.tokenDigest);
  }

  /**
   * Remembers a token until it expires, and gives it a share of its own. The service has accepted it in a call that began at
   * `startedAt`, and may have ended the session since. Claims count after the call for them alone: others may be open to all.
   */
  remember(caller: Caller, startedAt: number, reason: CallReason): void {
    const { key, tokenDigest, digest } = caller;
    if ((this.#refused.get(tokenDigest) ?? 0) > startedAt) return;
    const known = this.#acceptedOf(tokenDigest);
    const token = known ?? this.#newlyAccepted(caller);
    if (!token) return;
    if (!known) this.#accepted.set(tokenDigest, token);
    this.#refused.delete(tokenDigest);
    caller.share = key === '' ? strangers : (token.keys?.get(digest) ?? tokenDigest);
    if (!this.useClaims || (reason !== 'token' && this.hasClaims(caller))) return;
    token.keys ??= new Map();
    const { keys } = token;
    const { keyDigest } = this.accepted(caller);
    if (keys.size === maxDigestsOfToken) keys.clear();
    keys.set(digest, keyDigest);
    if (keyDigest !== tokenDigest) this.#claims.set(keyDigest, true);
  }

  /** The service no longer accepts the token. */
  refuse(tokenDigest: string): void {
    this.#accepted.delete(tokenDigest);
    this.#refused.set(tokenDigest, performance.now());
  }

  /** Says less than the identity: a share gives turns, and shows nothing. */
  #shareOf(caller: Caller): string {
    const { key, tokenDigest, digest } = caller;
    if (key === '') return strangers;
    const accepted = this.#acceptedOf(tokenDigest);
    if (accepted) return accepted.keys?.get(digest) ?? tokenDigest;
    if (this.#refused.has(tokenDigest)) return strangers;
    const claims = this.useClaims ? this.#claimsDigest(caller) : undefined;
    // A caller with a new token. Not the share of its other tokens: this one may be made up.
    return claims && this.#claims.has(claims) ? `new ${claims}` : newcomers;
  }

  /** Undefined for a token that has expired. */
  #newlyAccepted(caller: Caller): AcceptedToken | undefined {
    const now = performance.now();
    const expiresMs = this.useClaims ? expiryOf(caller) : Number.POSITIVE_INFINITY;
    const leftMs = Math.floor(expiresMs - clockErrorMs - this.#clock.at(now));
    return leftMs > 0 ? { until: now + Math.min(leftMs, maxAgeMs), keys: undefined } : undefined;
  }

  #acceptedOf(tokenDigest: string): AcceptedToken | undefined {
    const accepted = this.#accepted.get(tokenDigest);
    if (!accepted || accepted.until > performance.now()) return accepted;
    this.#accepted.delete(tokenDigest);
    return undefined;
  }

  /** Undefined for a key without all the claims. */
  #claimsDigest(caller: Caller): string | undefined {
    if (!this.useClaims) return undefined;
    const claims = signInClaimsOf(caller, this.#contract.data.key);
    const values = this.#paths.map((path) => claimAt(claims, path));
    if (values.includes(undefined)) return undefined;
    // No header has a line break, so no made-up key has this digest.
    return digestOf(`claims\n[${JSON.stringify(this.#paths)},[${values.join()}]]`);
  }
}

/** Milliseconds since 1970; never for a key that does not say. */
function expiryOf(caller: Caller): number {
  return Number(claimAt(claimsOf(caller), 'exp') ?? Number.POSITIVE_INFINITY) * 1000;
}

function withKey(caller: Caller, keyDigest: string): Caller {
  const { tokenDigest, digest } = caller;
  const keyedDigest = keyDigest + digest.slice(tokenDigest.length);
  return { ...caller, keyDigest, digest: keyedDigest, isUnknown: false, share: keyDigest };
}
