import type { IncomingHttpHeaders } from 'node:http';
import { isObject, jsonOrUndefined, type ValidDocument, type Variables } from '@gateway/base';

/** A request of GraphQL over HTTP, whose body has been read and parsed. */
export interface GraphQLHttpRequest {
  method: 'GET' | 'POST' | 'QUERY';
  /** By name in lower case. */
  headers: IncomingHttpHeaders;
  /** With its question mark, or empty. */
  search: string;
  /** Undefined for GET alone. */
  body: unknown;
}

export interface GraphQLHttpResponse {
  status: number;
  headers: Iterable<readonly [string, string]>;
  /** Bytes of a long answer. */
  body: string | Buffer;
}

export interface OperationRequest {
  /** The text of the document. */
  text: string;
  operationName: string | null | undefined;
  variables: Variables | undefined;
}

/** Undefined for a request that Apollo Server may refuse or treat in another way. */
export function operationRequest({ method, body }: GraphQLHttpRequest): OperationRequest | undefined {
  if (method === 'GET' || !isObject(body)) return undefined;
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string') return undefined;
  if (!isAbsent(operationName) && typeof operationName !== 'string') return undefined;
  if (!isAbsent(variables) && !isObject(variables)) return undefined;
  if (!isAbsent(extensions) && (!isObject(extensions) || 'persistedQuery' in extensions)) return undefined;
  return { text: query, operationName, variables: variables ?? undefined };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Documents that clients may name by ids. */
export interface DocumentStore {
  /**
   * The same request by the text of its document, if the store knows the document.
   * @throws GraphQLError for an id that is not known, and for a document that may not run.
   */
  resolve(request: GraphQLHttpRequest): GraphQLHttpRequest;
  /** The id of a document, whether its client asked by id or by text. Undefined for a document that is not known. */
  idOf(document: ValidDocument): string | undefined;
}

/** The document that a request asks for. Apollo Server refuses a malformed request later. */
export function askedDocument({ method, body, search }: GraphQLHttpRequest) {
  const given: Record<string, unknown> = method === 'GET' ? parametersOf(search) : isObject(body) ? body : {};
  const { query, documentId, extensions } = given;
  const persisted = isObject(extensions) ? extensions.persistedQuery : undefined;
  const isApollos = isObject(persisted) && persisted.version === 1 && typeof persisted.sha256Hash === 'string';
  return {
    /** Undefined for a request without a text, or with an empty text. */
    text: typeof query === 'string' && query !== '' ? query : undefined,
    /** As `documentId` (GraphQL over HTTP, appendix on persisted documents), or in the form of Apollo. */
    id: typeof documentId === 'string' ? documentId : isApollos ? String(persisted.sha256Hash) : undefined,
    /** The request has `extensions.persistedQuery`, the form of Apollo. */
    isApollos,
  };
}

/** The same request, which asks for its document by this text alone. */
export function askedByText(request: GraphQLHttpRequest, text: string): GraphQLHttpRequest {
  if (request.method === 'GET') {
    const parameters = new URLSearchParams(request.search);
    const { extensions } = withText(parametersOf(request.search), text);
    parameters.set('query', text);
    parameters.delete('documentId');
    if (extensions) parameters.set('extensions', JSON.stringify(extensions));
    return { ...request, search: `?${parameters}` };
  }
  return { ...request, body: isObject(request.body) ? withText(request.body, text) : request.body };
}

function withText({ documentId, ...others }: Record<string, unknown>, text: string): Record<string, unknown> {
  if (!isObject(others.extensions)) return { ...others, query: text };
  const { persistedQuery, ...extensions } = others.extensions;
  return { ...others, query: text, extensions };
}

function parametersOf(search: string): Record<string, unknown> {
  const parameters = Object.fromEntries(new URLSearchParams(search));
  return { ...parameters, extensions: parameters.extensions && jsonOrUndefined(parameters.extensions) };
}
