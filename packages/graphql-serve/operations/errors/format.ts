import { codedError, type ErrorCode, errorCodes, isNoValue, loggedError } from '@gateway/base';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { currentRequest } from '../../request/current-request.ts';

/** Codes of Apollo Server, and the gateway's code for each. */
const apolloCodes: Record<string, ErrorCode> = {
  OPERATION_RESOLUTION_FAILURE: 'BAD_REQUEST',
  PERSISTED_QUERY_NOT_FOUND: 'BAD_REQUEST',
  PERSISTED_QUERY_NOT_SUPPORTED: 'BAD_REQUEST',
};

const shownExtensions = ['code', 'retryable', 'reference', 'fields', 'upstream_status', 'retry_after'] as const;

/** Characters. Names in a document may have any length, and each error repeats them. */
const maxMessage = 1_000;

export type FormatError = (error: unknown) => GraphQLFormattedError;

/** Gives every error a known code and the id of its request. Masks an unforeseen error, and logs it once. */
export function errorFormatter(logger: Logger): FormatError {
  const log = logOnce(logger);
  return (error) => {
    const request = currentRequest.getStore();
    const { locations, path } = error instanceof GraphQLError ? error : {};
    const { message, extensions } = recognise(error) ?? mask(error, log);
    request?.noteError(extensions.code as ErrorCode);
    const shown: Record<string, unknown> = {};
    for (const key of shownExtensions) if (extensions[key] !== undefined) shown[key] = extensions[key];
    return {
      message: message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message,
      ...(locations && { locations }),
      ...(path && { path }),
      extensions: { retryable: false, ...shown, request_id: request?.id },
    };
  };
}

type Recognised = Pick<GraphQLError, 'message' | 'extensions'>;

function recognise(error: unknown): Recognised | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const { message } = error;
  if (/^Syntax Error: Document contains more tha[nt] \d+ tokens/.test(message)) {
    const [tokens] = /\d+/.exec(message) ?? [];
    return codedError('QUERY_TOO_COMPLEX', `The document has more than ${tokens} tokens (limits.documents.tokens).`);
  }
  // graphql-js stops the comparison of fields that are selected very often.
  if (message === 'Validation aborted.') {
    return codedError('QUERY_TOO_COMPLEX', 'The document selects the same fields too often to be validated.');
  }
  const given = codeOf(error);
  if (given === 'GRAPHQL_PARSE_FAILED' && message.startsWith('Maximum call stack')) {
    return codedError('QUERY_TOO_COMPLEX', 'The document is nested too deep to be read.');
  }
  if (typeof given === 'string' && given !== 'INTERNAL_SERVER_ERROR') {
    const code = given in errorCodes ? given : apolloCodes[given];
    return code ? { message, extensions: { ...error.extensions, code } } : undefined;
  }
  const cause = error.originalError;
  // graphql-js refuses an argument that is wrong for this value of a variable.
  if (cause instanceof GraphQLError && cause.nodes) return codedError('BAD_USER_INPUT', message);
  // A value of the service does not fit the schema.
  // The message of graphql-js quotes the value, which may hold more than the field.
  if (cause instanceof GraphQLError || isNoValue(error)) {
    const withoutValue = message.replace(/ cannot represent .*/s, ' cannot represent what the service sent.');
    return codedError('UPSTREAM_INVALID_RESPONSE', withoutValue);
  }
  // graphql-js gives no cause for its own errors about the request.
  return cause === undefined ? codedError('BAD_USER_INPUT', message) : undefined;
}

/** Apollo Server replaces the code of a validation rule by its own. */
function codeOf({ extensions, originalError }: GraphQLError): unknown {
  const isOfRule = extensions.code === 'GRAPHQL_VALIDATION_FAILED' && originalError instanceof GraphQLError;
  return (isOfRule && originalError.extensions.code) || extensions.code;
}

function mask(error: unknown, log: (error: unknown) => void): Recognised {
  log(error instanceof GraphQLError ? (error.originalError ?? error) : error);
  return codedError('INTERNAL_SERVER_ERROR', 'Something went wrong in the gateway.');
}

/** Logs equal errors of one answer once. The rows of a list fail alike, in one turn of the event loop. */
function logOnce(logger: Logger): (error: unknown) => void {
  const logged = new Set<string>();
  return (error) => {
    const request_id = currentRequest.getStore()?.id;
    const what = JSON.stringify([request_id, loggedError(error)]);
    if (logged.has(what)) return;
    if (logged.size === 0) setImmediate(() => logged.clear());
    logged.add(what);
    logger.error({ err: error, request_id }, 'Unforeseen error');
  };
}
