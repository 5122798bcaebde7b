import { randomUUID } from 'node:crypto';
import { counter, digestOf, isObject, type Json, retryAfterSeconds, UpstreamError } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import { claimAt, claimsOf, connector, errorFromAnswer, NoAnswerError } from '@gateway/upstream';
import type { Dispatcher } from 'undici';
import send from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { Attempts, networkOf } from './attempts.ts';
import type { TokenEndpoints } from './declared.ts';
import { noSignIn } from './no-sign-in.ts';

export interface SignInRules {
  timeouts: { connectMs: number; writeMs: number };
  /** Attempts a minute: of one network, and of one user name or refresh token. */
  perAddress: number;
  perUser: number;
}

export interface Credentials {
  username: string;
  password: string;
  /** By default a new one. */
  device?: string | undefined;
}

export interface Tokens {
  token: string;
  refreshToken: string;
  /** ISO 8601, by the clock of the service. */
  expiresAt: string | null;
  /** Seconds from the answer on, for clients whose clock is wrong. */
  expiresIn: number | null;
}

/** Statuses of an answer that refuses what was sent. */
interface Refusal {
  statuses: readonly number[];
  message: string;
}

/** Calls at a time, each over a connection of its own. */
const maxRunning = 16;

const maxAnswerBytes = 64 * 1024;

/**
 * Calls the endpoints that give tokens, once for each attempt. A second call could use up a refresh token, or lock a user out.
 * Messages of its errors quote neither what was sent nor what the service answered.
 */
export class SignIn {
  readonly attempts = counter('sign_ins_total', 'Attempts to get tokens, by outcome: a code of an error, or success.', [
    'kind',
    'outcome',
  ]);
  readonly #contract: Contract;
  readonly #endpoints: TokenEndpoints;
  readonly #base: URL;
  readonly #pool: Pool;
  readonly #timeoutMs: number;
  readonly #addresses: Attempts;
  readonly #users: Attempts;
  #running = 0;

  constructor(contract: Contract, endpoints: TokenEndpoints, baseUrl: string, rules: SignInRules) {
    const { timeouts, perAddress, perUser } = rules;
    this.#contract = contract;
    this.#endpoints = endpoints;
    this.#base = new URL(baseUrl);
    this.#timeoutMs = timeouts.writeMs;
    this.#addresses = new Attempts(perAddress, 'One address');
    this.#users = new Attempts(perUser, 'One user');
    this.#pool = new Pool(this.#base.origin, {
      connections: maxRunning,
      connect: connector(timeouts.connectMs),
      maxResponseSize: maxAnswerBytes,
    });
  }

  /**
   * @throws UpstreamError UNAUTHENTICATED for a wrong user name or password.
   * @throws UpstreamError RATE_LIMITED for too many attempts.
   */
  signIn({ username, password, device = randomUUID() }: Credentials, address: string | undefined): Promise<Tokens> {
    const { signIn: names } = this.#endpoints;
    const body = {
      [names.username]: username,
      [names.password]: password,
      ...(names.device !== undefined && { [names.device]: device }),
    };
    const refusal = { statuses: [401, 403], message: 'The service does not accept this user name and password.' };
    return this.#counted('sign_in', () => {
      this.#admit(address, username.trim().toLowerCase());
      return this.#post(names.path, JSON.stringify(body), refusal);
    });
  }

  /**
   * @throws UpstreamError UNAUTHENTICATED for a token that has expired, or was used before.
   * @throws UpstreamError RATE_LIMITED for too many attempts.
   */
  refresh(refreshToken: string, address: string | undefined): Promise<Tokens> {
    const { refresh: names } = this.#endpoints;
    const claims = claimsIn(refreshToken);
    // Claims are texts of JSON, with all digits.
    const known = Object.entries(names.claims).flatMap(([name, path]) => {
      const claim = claimAt(claims, path);
      return claim === undefined ? [] : [`,${JSON.stringify(name)}:${claim}`];
    });
    const body = `{${JSON.stringify(names.token)}:${JSON.stringify(refreshToken)}${known.join('')}}`;
    // The rest of the body comes from the token.
    const statuses = [400, 401, 403, 422];
    const refusal = { statuses, message: 'The service does not accept this refresh token: sign in again.' };
    return this.#counted('refresh', () => {
      this.#admit(address, refreshToken);
      return this.#post(names.path, body, refusal);
    });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #counted(kind: 'sign_in' | 'refresh', attempt: () => Promise<Tokens>): Promise<Tokens> {
    let outcome = 'success';
    try {
      return await attempt();
    } catch (error) {
      outcome = error instanceof UpstreamError ? error.code : 'INTERNAL_SERVER_ERROR';
      throw error;
    } finally {
      this.attempts.inc({ kind, outcome });
    }
  }

  /** A digest stands for the user, so that nothing in memory is a user name or a token. */
  #admit(address: string | undefined, user: string): void {
    this.#addresses.take(networkOf(address));
    this.#users.take(digestOf(user));
    if (this.#running < maxRunning) return;
    const message = 'Too many clients sign in at this time.';
    throw new UpstreamError('OVERLOADED', message, { retryAfter: retryAfterSeconds() });
  }

  async #post(path: string, body: string, refusal: Refusal): Promise<Tokens> {
    this.#running += 1;
    try {
      const { status, retryAfter, json } = await this.#send(path, body);
      const failure = this.#contract.wire.failureOf(json) ?? status;
      if (failure < 300) return this.#tokensIn(json);
      throw this.#errorOf(failure, retryAfter, refusal);
    } finally {
      this.#running -= 1;
    }
  }

  async #send(path: string, body: string): Promise<{ status: number; retryAfter: string | undefined; json: unknown }> {
    const options: Dispatcher.RequestOptions = {
      method: 'POST',
      path: this.#base.pathname.replace(/\/$/, '') + path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal: AbortSignal.timeout(this.#timeoutMs),
      // A connection that the service has just closed would lose the attempt.
      reset: true,
    };
    try {
      const { statusCode, headers, body: answer } = await send.call(this.#pool, options);
      const json = jsonOf(await answer.text().catch(emptyIfTooLong));
      return { status: statusCode, retryAfter: headers['retry-after']?.toString(), json };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') {
        throw new NoAnswerError('UPSTREAM_TIMEOUT', 'The service did not answer in time.');
      }
      throw new NoAnswerError('UPSTREAM_UNAVAILABLE', 'The service cannot be reached, or broke the connection off.');
    }
  }

  #errorOf(status: number, retryAfter: string | undefined, refusal: Refusal): UpstreamError {
    const details = { status };
    if (refusal.statuses.includes(status)) return new UpstreamError('UNAUTHENTICATED', refusal.message, details);
    if (status === 404 || status === 405) return noSignIn(details);
    if (status === 400 || status === 422) {
      return new UpstreamError('BAD_USER_INPUT', 'The service refuses the form of what was sent.', details);
    }
    return errorFromAnswer(status, undefined, retryAfter, { contract: this.#contract });
  }

  #tokensIn(json: unknown): Tokens {
    const { answer } = this.#endpoints;
    const data = this.#contract.wire.dataOf(json, false);
    const { [answer.token]: token, [answer.refreshToken]: refreshToken }: Json = isObject(data) ? data : {};
    if (token === '') throw new UpstreamError('FORBIDDEN', 'The service knows the user, and gives no token.');
    if (typeof token !== 'string' || typeof refreshToken !== 'string') {
      throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The service answered no tokens.');
    }
    const seconds = answer.seconds === undefined ? undefined : (data as Json)[answer.seconds];
    const now = Date.now() / 1_000;
    const expiry = Number(claimAt(claimsIn(token), 'exp') ?? now + Number(seconds));
    const life = typeof seconds === 'number' ? seconds : Math.max(0, expiry - now);
    return {
      token,
      refreshToken,
      expiresAt: isLife(expiry - now) ? new Date(expiry * 1_000).toISOString() : null,
      expiresIn: isLife(life) ? Math.floor(life) : null,
    };
  }
}

/** Seconds that an `Int` of GraphQL can be: 68 years. Longer lives are in another unit. */
function isLife(seconds: number): boolean {
  return Math.abs(seconds) < 2 ** 31;
}

function claimsIn(token: string): Json | undefined {
  return claimsOf({ key: `Bearer ${token}`, headers: {} });
}

/** The status of a long page counts, such as that of a 404. */
function emptyIfTooLong(error: NodeJS.ErrnoException): string {
  if (error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return '';
  throw error;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
