import { loggedError } from '@gateway/base';
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { currentRequest } from '../request/current-request.ts';
import { openLogOutput } from './log-output.ts';

export interface LogSettings {
  level: LevelWithSilent;
  /** Whether operations get a line; `auto`: where the output is no terminal. */
  access: 'auto' | 'on' | 'off';
  bufferBytes: number;
}

/** Fields that may contain a secret, at any depth. Clients may put secrets into any header. */
const secrets = ['headers', 'authorization', 'cookie', 'set-cookie', 'idempotency-key'];

/** Logs lines of JSON; log an error as `err`. `keyHeader`: the header of the API key. */
export function createLogger(
  { level }: Pick<LogSettings, 'level'>,
  output: DestinationStream,
  keyHeader: string,
): Logger {
  const options = {
    level,
    base: null,
    mixin: traceIds,
    redact: [...new Set([keyHeader, ...secrets])]
      .map((name) => `["${name}"]`)
      .flatMap((path) => [path, `*${path}`, `*.*${path}`]),
    serializers: {
      err: (error: unknown) => loggedError(error),
      // The query of a GET contains the document and the variables.
      req: ({ method, url }: { method?: string; url?: string }) => ({ method, path: url?.split('?', 1)[0] }),
      res: ({ statusCode }: { statusCode?: number }) => ({ status: statusCode }),
    },
  };
  return pino(options, output);
}

/** The ids that join a line to the trace of its request. */
function traceIds(): object {
  const { traceId, span } = currentRequest.getStore() ?? {};
  return { trace_id: span?.traceId ?? traceId, span_id: span?.spanId };
}

/**
 * The logger of operations; undefined where they are not logged. One write for each line would cost more than its
 * operation. The logger writes once a second, or when it has three kilobytes.
 */
export function createAccessLogger({ access, level, bufferBytes }: LogSettings): Logger | undefined {
  // In a terminal, the lines would hide the addresses that the start prints.
  const isWanted = access === 'auto' ? !process.stdout.isTTY : access === 'on';
  if (!isWanted) return undefined;
  return pino({ level, base: null }, openLogOutput({ bufferBytes }, 3_072));
}
