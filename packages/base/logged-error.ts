import { fileURLToPath } from 'node:url';

/** The loggable part of an error: its kind and its place in the code, without any value of a client. */
export interface LoggedError {
  type: string;
  code?: string | number;
  syscall?: string;
  /** The fixed part of a message of V8, SQLite or Redis. */
  reason?: string;
  /** Places in the code, the innermost first; paths are relative to the gateway's folder. */
  stack?: string[];
  cause?: LoggedError;
  errors?: LoggedError[];
}

/** Bounds for a chain of causes, and for the errors of an AggregateError. */
const maxDepth = 5;
const maxErrors = 3;

const folder = fileURLToPath(new URL('../../', import.meta.url));

/** Parts of messages that do not depend on any value. */
const fixedWords = new RegExp(
  [
    'Cannot (?:read|set) properties of (?:undefined|null)',
    'is not (?:a function|iterable|a constructor|defined|valid JSON)',
    'Maximum call stack size exceeded',
    'Invalid (?:array length|string length|time value)',
    'before initialization',
    '^Socket closed unexpectedly$',
    '^(?:WRONGPASS|NOAUTH|NOPERM|OOM|READONLY|LOADING|MISCONF|CLUSTERDOWN|MASTERDOWN)\\b',
  ].join('|'),
);

/** `    at read (file:///gateway/packages/upstream/transport.ts:10:5)`; a message may contain lines that begin alike. */
const place = /^ {4}at (?:[\w$.<>[\] ]+ \()?(?:file:\/\/|node:|\/)[^\s()]+:\d+:\d+\)?$/;

/** Fields that errors of Node, SQLite and others add. */
interface Detailed extends Error {
  code?: unknown;
  syscall?: unknown;
  /** SQLite's text for its code. */
  errstr?: unknown;
  errors?: unknown;
}

/**
 * Converts an error for the log. Leaves out messages and other properties, which quote values: a JSON text, an invalid
 * header, the arguments of a command.
 */
export function loggedError(error: unknown, depth = 1): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, code, syscall, errstr, cause, errors }: Detailed = error;
  const [reason] = code === 'ERR_SQLITE_ERROR' ? [errstr] : (fixedWords.exec(message) ?? []);
  const stack = placesIn(error);
  const below = (error: unknown) => loggedError(error, depth + 1);
  return {
    type: /^\w{1,60}$/.test(name) ? name : 'Error',
    ...((typeof code === 'number' || (isWord(code) && code === code.toUpperCase())) && { code }),
    ...(isWord(syscall) && { syscall }),
    ...(typeof reason === 'string' && { reason }),
    ...(stack.length > 0 && { stack }),
    ...(cause !== undefined && depth < maxDepth && { cause: below(cause) }),
    ...(Array.isArray(errors) && depth < maxDepth && { errors: errors.slice(0, maxErrors).map(below) }),
  };
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,60}$/.test(value);
}

function placesIn({ message, stack = '' }: Error): string[] {
  const head = message.split('\n').length;
  const lines = stack.split('\n').slice(head);
  const places = lines.filter((line) => place.test(line)).map((line) => line.trim().slice('at '.length));
  return places.map((place) => place.replace('file://', '').replace(folder, ''));
}
