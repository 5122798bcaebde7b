import { type ASTNode, GraphQLError } from 'graphql';
import { withoutStack } from '../without-stack.ts';

/**
 * Every `extensions.code` of an answer, and its meaning for the client.
 * test/docs/docs.test.ts compares this page with the table of docs/errors.md.
 */
export const errorCodes = {
  BAD_USER_INPUT: 'The input breaks a bound of the service; `fields` says which and where.',
  UNAUTHENTICATED: 'No API key, or one that the service does not accept.',
  FORBIDDEN: 'The key is accepted, but may not do this.',
  NOT_FOUND: 'No such resource, or none that this key may see.',
  CONFLICT: 'The service holds something that contradicts the write.',
  PAYLOAD_TOO_LARGE: 'The request or the file is larger than the limit.',
  UNSUPPORTED_MEDIA_TYPE: 'The Content-Type is not one that GraphQL over HTTP or the multipart request spec knows.',
  RATE_LIMITED: 'The service or the gateway asks to slow down; try again after `retry_after` seconds.',
  UPSTREAM_ERROR: 'The service failed to process the request.',
  UPSTREAM_UNAVAILABLE: 'The service cannot be reached; nothing was sent, or it says so itself.',
  UPSTREAM_TIMEOUT: 'The service did not answer a read in time, or the operation took longer than it may.',
  UPSTREAM_INVALID_RESPONSE: 'The service answered something that its contract does not allow.',
  OUTCOME_UNKNOWN: 'A write was sent, and no answer came or the service failed: it may or may not have happened.',
  INPUT_NOT_STORED: 'The write happened, but the service stores something else than was sent; `fields` says where.',
  REFERENCE_NOT_FOUND: 'An object refers to a resource that the service does not give by id.',
  REFERENCE_UNRESOLVED:
    'An object refers to a resource that its list does not hold, and that cannot be asked for by id.',
  UPSTREAM_BUDGET_EXCEEDED: 'The operation needs more REST calls than one operation may make.',
  QUERY_TOO_COMPLEX: 'The document is deeper, longer or asks for more than the limits allow, or its answer is larger.',
  IDEMPOTENCY_CONFLICT: 'The Idempotency-Key was used with another request.',
  OVERLOADED: 'The gateway is shutting down, or has as many operations, data or writes to remember as it can.',
  INTERNAL_SERVER_ERROR: 'A fault of the gateway; the log has the details under `request_id`.',
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  BAD_REQUEST: 'The HTTP request is not one of GraphQL over HTTP.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Codes after which the same request may succeed without any change. */
const retryableCodes: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMITED',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'OVERLOADED',
]);

export interface FieldError {
  /** From `input` (or the argument) on; positions in lists are numbers. */
  path: (string | number)[];
  message: string;
}

export interface ErrorDetails {
  reference?: { type: string; id: string };
  fields?: FieldError[];
  upstream_status?: number;
  /** Seconds. */
  retry_after?: number;
  /** For errors found before the operation runs: the HTTP status of the whole answer. */
  http?: { status: number; headers?: ReadonlyMap<string, string> };
  /** Become the `locations` of the error. */
  nodes?: readonly ASTNode[];
}

/** An error that the client may see: its message has no upstream URL, header, body or stack. */
export function codedError(code: ErrorCode, message: string, details: ErrorDetails = {}): GraphQLError {
  const { http, nodes, ...shown } = details;
  const extensions = { code, retryable: retryableCodes.has(code), ...shown, ...(http && { http }) };
  return withoutStack(() => new GraphQLError(message, { ...(nodes && { nodes }), extensions }));
}

/** An error names this many wrong fields, and leaves out the others. */
export const maxFieldErrors = 100;

/** BAD_USER_INPUT for fields that are wrong; `summary` says in what way. */
export function fieldsRefused(
  summary: string,
  fields: FieldError[],
  details: Pick<ErrorDetails, 'http'> = {},
): GraphQLError {
  return fieldsError('BAD_USER_INPUT', summary, fields, details);
}

/** INPUT_NOT_STORED: the write has happened, and its answer has other values than the input. */
export function inputNotStored(fields: FieldError[]): GraphQLError {
  return fieldsError('INPUT_NOT_STORED', 'The write happened, but the service stores something else', fields);
}

function fieldsError(code: ErrorCode, summary: string, fields: FieldError[], details: ErrorDetails = {}): GraphQLError {
  const named = fields.slice(0, 5).map(({ path }) => path.join('.'));
  const others = fields.length > named.length ? ', and others' : '';
  return codedError(code, `${summary}: ${named.join(', ')}${others}.`, {
    fields: fields.slice(0, maxFieldErrors),
    ...details,
  });
}
