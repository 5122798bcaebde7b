const MiB = 2 ** 20;

const defaults = {
  server: {
    host: '127.0.0.1',
    /** 0 takes a free port. */
    port: 4_000,
    workers: 1,
    compression: 'on' as 'on' | 'off',
  },
  limits: {
    /** The most that an operation may hold. A fragment counts each time that it is spread. */
    documents: {
      tokens: 2_000,
      depth: 10,
      fields: 1_000,
      fieldsPerObject: 120,
      rootFields: 20,
      aliases: 30,
      directives: 20,
      directivesPerNode: 4,
    },
    /** `perCaller`: those of one caller that run or wait. */
    operations: { running: 200, queued: 400, perCaller: 400, queueTimeoutMs: 5_000, answerBytes: 32 * MiB },
    clients: {
      connections: 5_000,
      /** The body of one request, and those of all. */
      bodyBytes: MiB / 4,
      bodiesBytes: 64 * MiB,
      /** Answers that clients have not taken. */
      answersBytes: 128 * MiB,
      /** Less than `uploads.timeoutMs`, which includes the body. */
      headersTimeoutMs: 10_000,
      bodyTimeoutMs: 15_000,
      /** The longest time in which a client may take nothing, and the least rate of files. */
      responseTimeoutMs: 60_000,
      minBytesPerSecond: 1_000,
    },
    uploads: {
      timeoutMs: 300_000,
      idleTimeoutMs: 15_000,
      minBytesPerSecond: 1_000,
      running: 100,
      fileBytes: 20 * MiB,
      /** Files that wait until their length is known. */
      spooledBytes: 512 * MiB,
    },
  },
  cache: { documents: { maxBytes: 64 * MiB } },
  graphql: { introspection: true },
  /** Headers that go on to the service, and make two callers differ. In lower case. */
  upstream: { forwardHeaders: ['accept-language'] as readonly string[] },
  shutdown: { delayMs: 0, timeoutMs: 25_000 },
};

/** Settings without a default. */
interface Optional {
  server: {
    /** A port of its own for health checks and metrics. */
    adminPort?: number | undefined;
    /** Origins whose pages may read answers; `*` for all. */
    corsOrigins?: readonly string[] | undefined;
  };
  /** `language`: in place of the client's Accept-Language. */
  upstream: { language?: string | undefined };
}

/** The settings of a server. Times are milliseconds, sizes are bytes. */
export type ServeSettings = typeof defaults & Optional;

/** Settings for a process with 1 GiB of memory and a core of its own. */
export const defaultSettings: ServeSettings = defaults;
