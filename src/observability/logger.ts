import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { loggedError } from './logged-error.ts';

/** Fields that may contain a secret, at any depth. Clients may put secrets into any header. */
const secrets = ['headers', 'authorization', 'cookie', '["set-cookie"]', '["idempotency-key"]'];
const below = (path: string) => (path.startsWith('[') ? `*${path}` : `*.${path}`);

/** Logs lines of JSON; log an error as `err`. `output`: by default standard output. */
export function createLogger({ level }: Pick<Config['log'], 'level'>, output?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: secrets.flatMap((path) => [path, below(path), `*.${below(path)}`]),
    serializers: {
      err: (error: unknown) => loggedError(error),
      // The query of a GET contains the document and the variables.
      req: ({ method, url }: { method?: string; url?: string }) => ({ method, path: url?.split('?', 1)[0] }),
      res: ({ statusCode }: { statusCode?: number }) => ({ status: statusCode }),
    },
  };
  return output ? pino(options, output) : pino(options);
}

/**
 * The logger of operations; undefined where they are not logged. One write for each line would cost more than its
 * operation. The logger writes once a second, or when it has four kilobytes, which the system writes in one piece.
 */
export function createAccessLogger({ access, level }: Config['log']): Logger | undefined {
  // In a terminal, the lines would hide the addresses that the start prints.
  const isWanted = access === 'auto' ? !process.stdout.isTTY : access === 'on';
  if (!isWanted) return undefined;
  const output = pino.destination({ sync: false, minLength: 3_072, maxWrite: 4_096, periodicFlush: 1_000 });
  return pino({ level, base: null }, output);
}
