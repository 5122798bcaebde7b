import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLHttpRequest } from '../operations/operation-request.ts';
import { prefersPage } from '../request/accept.ts';
import type { CurrentRequest } from '../request/current-request.ts';
import { discardBody } from '../uploads/request-body.ts';
import { declaresBody, hasOperation } from './body.ts';
import type { Cors, CorsHeaders } from './cors.ts';
import { pathOf } from './request.ts';
import { plainText, send } from './response.ts';

export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  current: CurrentRequest,
) => void | Promise<void>;

/** Answers a request whose body is read. `asked` names its document by text, where the store of documents knows it. */
export type RunOperation = (...args: [...Parameters<Handler>, asked: GraphQLHttpRequest]) => Promise<void>;

/** A path beside that of GraphQL. */
export interface Route {
  /** Ends with a slash where it stands for all paths below it. */
  path: string;
  /** Pages of the origins that CORS lists may read the answers. */
  cors?: CorsHeaders;
  /** The handler reads the body. Otherwise it is discarded. */
  takesBody?: true;
  /** Throws an error that is the answer. */
  handle: Handler;
}

export interface Routes {
  graphql: Handler;
  /** Undefined where a browser gets no page. */
  page: Handler | undefined;
  others: readonly Route[];
  /** Undefined if no origin is listed. */
  cors: Cors | undefined;
}

export const graphqlPath = '/graphql';

/** Answers each path that the gateway serves. The handler throws an error that is the answer. */
export function routes({ graphql, page = sendNoPage, others, cors }: Routes): Handler {
  return function route(request, response, current) {
    const path = pathOf(request);
    const isGraphql = path === graphqlPath;
    const other = isGraphql ? undefined : others.find((each) => isOn(each.path, path));
    if ((isGraphql || other?.cors) && cors?.answerPreflight(request, response)) return;
    const takesBody = isGraphql ? hasOperation(request.method) : other?.takesBody;
    // Node would read an unread body to its end, however long.
    if (!takesBody && declaresBody(request)) discardBody(request);
    if (isGraphql) {
      if (request.method !== 'GET' || !prefersPage(request.headers.accept)) return graphql(request, response, current);
      return page(request, response, current);
    }
    return other ? other.handle(request, response, current) : sendNotFound(response);
  };
}

function isOn(route: string, path: string): boolean {
  return route.endsWith('/') ? path.startsWith(route) : path === route;
}

/** A client that accepts JSON gets another answer, so a cache must not keep this answer for both. */
const sendNoPage: Handler = (_request, response) => {
  const headers = { ...plainText, vary: 'Accept, Origin' };
  send(response, 406, headers, 'This is a GraphQL API: send queries by POST, as JSON.\n');
};

export function sendNotFound(response: ServerResponse): void {
  send(response, 404, plainText, `Nothing is served here; GraphQL is at ${graphqlPath}.\n`);
}
