import { fileURLToPath } from 'node:url';

/** What the log says of an error: where it was thrown and of what kind it is, and no value of anybody. */
export interface LoggedError {
  type: string;
  code?: string | number;
  syscall?: string;
  /** What V8, SQLite or Redis say in words of their own. */
  reason?: string;
  /** Places in the code, the innermost first; files are given from the folder of the gateway on. */
  stack?: string[];
  cause?: LoggedError;
  errors?: LoggedError[];
}

/** Of a chain of causes, and of errors that are one, the first are told. */
const maxDepth = 5;
const maxErrors = 3;

const folder = fileURLToPath(new URL('../../', import.meta.url));

/** Parts of messages that are the same for all values. */
const wordsOfTheirOwn = new RegExp(
  [
    'Cannot (?:read|set) properties of (?:undefined|null)',
    'is not (?:a function|iterable|a constructor|defined|valid JSON)',
    'Maximum call stack size exceeded',
    'Invalid (?:array length|string length|time value)',
    'before initialization',
    '^(?:WRONGPASS|NOAUTH|NOPERM|OOM|READONLY|LOADING|MISCONF|CLUSTERDOWN|MASTERDOWN)\\b',
  ].join('|'),
);

/** `    at read (file:///gateway/src/upstream/transport.ts:10:5)`: a message may hold lines that begin alike. */
const place = /^ {4}at (?:[\w$.<>[\] ]+ \()?(?:file:\/\/|node:|\/)[^\s()]+:\d+:\d+\)?$/;

/** What errors of Node, SQLite and others have besides. */
interface Detailed extends Error {
  code?: unknown;
  syscall?: unknown;
  /** SQLite's text for its code. */
  errstr?: unknown;
  errors?: unknown;
}

/**
 * An error as it may be logged. Messages and other properties are left out, because they quote what the code was given:
 * a JSON text, the header that is no header, the address that refused, the arguments of a command.
 */
export function loggedError(error: unknown, depth = 1): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, code, syscall, errstr, cause, errors }: Detailed = error;
  const [reason] = code === 'ERR_SQLITE_ERROR' ? [errstr] : (wordsOfTheirOwn.exec(message) ?? []);
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
