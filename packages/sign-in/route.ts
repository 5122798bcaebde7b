import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { badRequest, codedError, isObject, tooLarge, UpstreamError, unsupported, withResolvers } from '@gateway/base';
import {
  askForBody,
  failureStatus,
  type OpenPart,
  parseText,
  send,
  sendMethodNotAllowed,
} from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import { fromUpstreamError } from '@gateway/upstream';
import { endpointsIn, isDeclared } from './declared.ts';
import { setSignIn } from './opened.ts';
import type { SignIn, SignInRules, Tokens } from './sign-in.ts';

export type SignInOptions = Pick<SignInRules, 'timeouts'> & Partial<SignInRules>;

/** Tokens are shorter. */
const maxBodyBytes = 16 * 1024;

/** `POST /sign-in` gives tokens. Undefined where the contract declares no endpoints for it. Loads all of undici. */
export function signInRoute(
  service: RestService,
  upstreamUrl: string,
  { perAddress = 300, perUser = 10, timeouts }: SignInOptions,
): OpenPart {
  return async ({ settings: { limits } }) => {
    const { contract } = service.app;
    const endpoints = endpointsIn(contract);
    if (!endpoints || !isDeclared(service)) return undefined;
    const { SignIn } = await import('./sign-in.ts');
    const signIn = new SignIn(contract, endpoints, upstreamUrl, { timeouts, perAddress, perUser });
    setSignIn(service, signIn);
    return {
      routes: [
        {
          path: '/sign-in',
          takesBody: true,
          cors: { headers: [], shown: [] },
          handle: (request, response) => give(signIn, request, response, limits.clients.bodyTimeoutMs),
        },
      ],
      metrics: [signIn.attempts],
      close: () => signIn.close(),
    };
  };
}

async function give(signIn: SignIn, request: IncomingMessage, response: ServerResponse, bodyMs: number): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  if (request.method !== 'POST') return sendMethodNotAllowed(response, 'POST');
  requireOwnPage(request, response);
  requireJson(request);
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw bodyTooLarge();
  askForBody(response);
  const tokens = await tokensFor(signIn, await bodyInTime(request, bodyMs), request.socket.remoteAddress);
  send(response, 200, { 'content-type': 'application/json' }, JSON.stringify(tokens));
}

async function tokensFor(signIn: SignIn, body: unknown, address: string | undefined): Promise<Tokens> {
  const { username, password, refreshToken, device }: Record<string, unknown> = isObject(body) ? body : {};
  try {
    if (isText(refreshToken)) return await signIn.refresh(refreshToken, address);
    if (isText(username) && isText(password)) {
      return await signIn.signIn({ username, password, device: isText(device) ? device : undefined }, address);
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw fromUpstreamError(error, { http: { status: failureStatus(error.code) } });
  }
  throw badRequest('The body has either username and password, or refreshToken, each as a text.');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The content type keeps forms of other sites away too. Before JSON a browser asks, and listed origins alone get a yes. */
function requireOwnPage({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers['sec-fetch-site'] !== 'cross-site' || response.hasHeader('access-control-allow-origin')) return;
  throw codedError('FORBIDDEN', 'A page of another site may sign in where CORS_ORIGINS lists its origin.', {
    http: { status: 403 },
  });
}

/** @throws UNSUPPORTED_MEDIA_TYPE (415) for another type, and for a body in a coding. */
function requireJson({ headers }: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers;
  const accepted = { 'accept-post': 'application/json', 'accept-encoding': 'identity' };
  if (type.replace(/;.*/, '').trim().toLowerCase() !== 'application/json') {
    throw unsupported('Content-Type must be application/json.', accepted);
  }
  if (coding.toLowerCase() !== 'identity') throw unsupported('The body has no Content-Encoding.', accepted);
}

/** @throws BAD_REQUEST (400 for a client that leaves, 408 for a body that is not whole in time) */
async function bodyInTime(request: IncomingMessage, bodyMs: number): Promise<unknown> {
  const late = withResolvers<never>();
  const timer = setTimeout(() => late.reject(badRequest('The body did not come in time.', 408)), bodyMs);
  try {
    return await Promise.race([bodyOf(request), late.promise]);
  } catch (error) {
    throw request.errored ? badRequest('The client has left in the middle of its request.') : error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @throws PAYLOAD_TOO_LARGE (413)
 * @throws BAD_REQUEST (400) for a body that is not JSON in UTF-8, which the message does not quote.
 */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > maxBodyBytes) throw bodyTooLarge();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw badRequest('The body is not UTF-8.');
  return parseText(bytes.toString());
}

function bodyTooLarge() {
  return tooLarge(`The body is longer than ${maxBodyBytes} bytes.`);
}
