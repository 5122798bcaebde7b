import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { loggedError } from './logged-error.ts';

/** JSON lines; to standard output where no destination is given. Errors go under `err`. */
export function createLogger(level: Config['LOG_LEVEL'], destination?: DestinationStream | undefined): Logger {
  const options = { level, base: null, serializers: { err: (error: unknown) => loggedError(error) } };
  return destination ? pino(options, destination) : pino(options);
}
