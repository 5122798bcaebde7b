import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { loggedError } from './logged-error.ts';

/** What names or is a secret, wherever it is logged: whole headers, for nobody knows what clients put into them. */
const secrets = ['headers', 'authorization', 'cookie', '["set-cookie"]', '["idempotency-key"]'];
const below = (path: string) => (path.startsWith('[') ? `*${path}` : `*.${path}`);

/** Lines of JSON; errors go under `err`. `output`: standard output, unless somebody else reads them. */
export function createLogger({ level }: Pick<Config['log'], 'level'>, output?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: secrets.flatMap((path) => [path, below(path), `*.${below(path)}`]),
    serializers: {
      err: (error: unknown) => loggedError(error),
      // Documents and variables of a GET are in its query.
      req: ({ method, url }: { method?: string; url?: string }) => ({ method, path: url?.split('?', 1)[0] }),
      res: ({ statusCode }: { statusCode?: number }) => ({ status: statusCode }),
    },
  };
  return output ? pino(options, output) : pino(options);
}

/**
 * Where operations are logged, if they are. A line of its own for each would cost more than all that it tells of, so lines
 * are written together: four kilobytes of them, which no other process writes into the middle of, or those of a second.
 */
export function createAccessLogger({ access, level }: Config['log']): Logger | undefined {
  // People who start it in a terminal look for its addresses there.
  const isWanted = access === 'auto' ? !process.stdout.isTTY : access === 'on';
  if (!isWanted) return undefined;
  const output = pino.destination({ sync: false, minLength: 3_072, maxWrite: 4_096, periodicFlush: 1_000 });
  return pino({ level, base: null }, output);
}
