import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Graphiql } from '@gateway/graphiql';
import { prefersPage } from '../operations/media-types.ts';
import type { CurrentRequest } from '../request/current-request.ts';
import { discardBody } from '../uploads/request-body.ts';
import { type Admin, adminAnswers, adminPaths, healthPaths } from './admin.ts';
import { declaresBody } from './body.ts';
import type { Cors } from './cors.ts';
import type { Drain } from './drain.ts';
import { pathOf } from './request.ts';
import { plainText, send, sendMethodNotAllowed } from './response.ts';

export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  current: CurrentRequest,
) => void | Promise<void>;

export interface Routes {
  graphql: Handler;
  /** Undefined where the gateway serves no files of the service. */
  media: Handler | undefined;
  /** Undefined without GraphiQL. */
  graphiql: Graphiql | undefined;
  /** Undefined where they have a port of their own, as clients reach this one. */
  metrics: Admin['metrics'] | undefined;
  /** Undefined if no origin is listed. */
  cors: Cors | undefined;
}

export const graphqlPath = '/graphql';
/** Files of the service. */
const mediaPath = '/media/';

/** Answers each path that the gateway serves. The handler throws an error that is the answer. */
export function routes({ graphql, media, graphiql, metrics, cors }: Routes) {
  const operatorPaths = metrics ? adminPaths : healthPaths;

  return function route(
    request: IncomingMessage,
    response: ServerResponse,
    { current, drain }: { current: CurrentRequest; drain: Drain },
  ): void | Promise<void> {
    const path = pathOf(request);
    const isGraphql = path === graphqlPath;
    const file = path.startsWith(mediaPath) ? media : undefined;
    if ((isGraphql || file) && cors?.answerPreflight(request, response)) return;
    if (isGraphql) {
      if (request.method !== 'GET' || !prefersPage(request.headers.accept)) return graphql(request, response, current);
    }
    if (declaresBody(request)) discardBody(request);
    if (file) return file(request, response, current);
    if (isGraphql) return sendPage(response, graphiql);
    if (graphiql?.pace && path.startsWith(graphiql.pacePath)) return sendPace(request, response, graphiql);
    const assets = graphiql && path.startsWith(graphiql.assets) ? graphiql : undefined;
    if (!assets && !operatorPaths.has(path)) return sendNotFound(response);
    if (!assets)
      return adminAnswers({
        readiness: () => (drain.isStopping ? 'stopping' : 'ready'),
        ...(metrics && { metrics }),
      })(path, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendMethodNotAllowed(response, 'GET, HEAD');
    response.setHeader('x-request-id', current.id);
    return assets.sendAsset(path.slice(assets.assets.length), request, response, () => sendNotFound(response));
  };
}

function sendPage(response: ServerResponse, graphiql: Graphiql | undefined): void {
  if (graphiql) send(response, 200, graphiql.headers, graphiql.page());
  // A client that accepts JSON gets another answer, so a cache must not keep this answer for both.
  else send(response, 406, { ...plainText, vary: 'Accept, Origin' }, noPage);
}

/** Other sites cannot send a PUT, because the gateway answers no preflight of this path. */
function sendPace({ method, url }: IncomingMessage, response: ServerResponse, { pacePath, pace }: Graphiql): void {
  if (method === 'GET') send(response, 200, { ...plainText, 'cache-control': 'no-store' }, pace?.name() ?? '');
  else if (method !== 'PUT') sendMethodNotAllowed(response, 'GET, PUT');
  else if (pace?.change(url?.slice(pacePath.length) ?? '')) send(response, 204, {}, '');
  else send(response, 400, plainText, 'The sandbox has the paces none, 50ms and real.\n');
}

const noPage = 'This is a GraphQL API: send queries by POST, as JSON.\n';

function sendNotFound(response: ServerResponse): void {
  send(response, 404, plainText, `Nothing is served here; GraphQL is at ${graphqlPath}.\n`);
}
