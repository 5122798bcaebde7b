/** `code` is that of the gateway. UNAUTHENTICATED: the user has to sign in again. */
export class SignInError extends Error {
  code = 'UNAUTHENTICATED';
}

/**
 * Tokens in memory, and a `fetch` for Apollo Client, urql and plain calls. `url`: GraphQL of the gateway. `callerClaims`: the
 * gateway runs with CALLER_CLAIMS, so that an Idempotency-Key holds under the next token too.
 */
export function openSession({ url, callerClaims = false }: { url: string | URL; callerClaims?: boolean }) {
  let tokens: { token: string; refreshToken: string; expiresIn: number | null } | undefined;
  let renewAt = 0;
  let renewing: Promise<void> | undefined; // All requests that need the next token wait for the same one.
  async function ask(body: object, before = tokens): Promise<void> {
    const address = String(url).replace(/\/graphql([?#].*)?$/, '/sign-in');
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = await response.json().catch(() => ({}));
    // Somebody has signed in or out meanwhile.
    if (tokens !== before) return;
    renewAt = performance.now() + (response.ok ? 800 * (answer.expiresIn ?? Number.POSITIVE_INFINITY) : 5_000);
    const { message = `The gateway answered ${response.status}.`, extensions } = answer.errors?.[0] ?? {};
    if (response.ok || extensions?.code === 'UNAUTHENTICATED') tokens = response.ok ? answer : undefined;
    if (!response.ok) throw Object.assign(new SignInError(message), { code: extensions?.code });
  }
  async function renew(): Promise<void> {
    renewing ??= ask({ refreshToken: tokens?.refreshToken }).finally(() => {
      renewing = undefined;
    });
    await renewing;
  }
  async function send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    // A refresh that fails for a while leaves the token, which is still good.
    if (tokens && performance.now() > renewAt) await renew().catch((error) => tokens || Promise.reject(error));
    const attempt = () => {
      if (!tokens) throw new SignInError('Nobody is signed in.');
      const request = new Request(input, init);
      request.headers.set('authorization', `Bearer ${tokens.token}`);
      return fetch(request);
    };
    const sent = tokens;
    const response = await attempt();
    if (!(await isRefused(response))) return response;
    if (tokens === sent) await renew();
    return mayRepeat(init, callerClaims) ? attempt() : response;
  }
  const signOut = () => {
    tokens = undefined;
  };
  return { fetch: send, signIn: (username: string, password: string) => ask({ username, password }), signOut };
}
async function isRefused(response: Response): Promise<boolean> {
  if (!/[/+]json\b/.test(response.headers.get('content-type') ?? '')) return false;
  return /"code":"UNAUTHENTICATED"/.test(await response.clone().text());
}
/** A query, or a write whose key the gateway knows under each token. */
function mayRepeat({ method, headers, body }: RequestInit, callerClaims: boolean): boolean {
  if (method === 'GET' || (typeof body === 'string' && /"query":/.test(body) && !/mutation/.test(body))) return true;
  return callerClaims && typeof Object(body).getReader !== 'function' && new Headers(headers).has('idempotency-key');
}
