import type { ConcurrencyLimitOptions } from './http/concurrency-limit.ts';
import type { DocumentLimits } from './operations/limits/document-limits.ts';

/** Headers that go on to the service, and make two callers differ. */
export interface ForwardedHeaders {
  /** In lower case. */
  forwardHeaders: readonly string[];
  /** In place of the client's Accept-Language. */
  language?: string | undefined;
}

/** The settings of a server. Times are milliseconds, sizes are bytes. */
export interface ServeSettings {
  server: {
    host: string;
    /** 0 takes a free port. */
    port: number;
    /** A port of its own for health checks and metrics. */
    adminPort?: number | undefined;
    workers: number;
    /** Origins whose pages may read answers; `*` for all. */
    corsOrigins?: readonly string[] | undefined;
    compression: 'on' | 'off';
  };
  limits: {
    documents: DocumentLimits;
    operations: ConcurrencyLimitOptions & { answerBytes: number };
    clients: {
      connections: number;
      /** The body of one request, and those of all. */
      bodyBytes: number;
      bodiesBytes: number;
      /** Answers that clients have not taken. */
      answersBytes: number;
      headersTimeoutMs: number;
      bodyTimeoutMs: number;
      responseTimeoutMs: number;
      minBytesPerSecond: number;
    };
    uploads: {
      timeoutMs: number;
      idleTimeoutMs: number;
      minBytesPerSecond: number;
      running: number;
      fileBytes: number;
      /** Files that wait until their length is known. */
      spooledBytes: number;
    };
  };
  cache: { documents: { maxBytes: number } };
  graphql: { introspection: boolean };
  upstream: ForwardedHeaders;
  shutdown: { delayMs: number; timeoutMs: number };
}
