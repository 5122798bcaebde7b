import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type Json, type ValidDocument } from '@gateway/base';

/** A request of GraphQL over HTTP, whose body has been read and parsed. */
export interface GraphQLHttpRequest {
  method: 'GET' | 'POST' | 'QUERY';
  /** By name in lower case. */
  headers: IncomingHttpHeaders;
  /** For a GET, the parameters of its address. */
  body: unknown;
}

export interface GraphQLHttpResponse {
  status: number;
  headers: Iterable<readonly [string, string]>;
  /** Bytes of a long answer. */
  body: string | Buffer;
}

/** The parts of a well-formed request. Undefined for one that Apollo Server may refuse or treat in another way. */
export function operationRequest({ method, body }: GraphQLHttpRequest) {
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
export function askedDocument({ body }: GraphQLHttpRequest) {
  const { query, documentId, extensions } = isObject(body) ? body : {};
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
  const { documentId, ...others } = request.body as Json;
  if (!isObject(others.extensions)) return { ...request, body: { ...others, query: text } };
  const { persistedQuery, ...extensions } = others.extensions;
  return { ...request, body: { ...others, query: text, extensions } };
}
