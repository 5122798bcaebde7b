import { counter, durationBuckets, histogram } from '../lib/metrics.ts';
import { NotSentError } from './errors.ts';
import type { Interceptor } from './request.ts';

/** Counts each attempt, from its wait for a connection to its answer. */
export function countCalls(calls: CallCounts): Interceptor {
  return (next) => (request, done) => {
    const { endpoint } = request;
    const begin = performance.now();
    calls.inFlight += 1;
    next(request, (error, response) => {
      calls.inFlight -= 1;
      if (error instanceof NotSentError) calls.notSent.inc({ endpoint, code: error.code });
      else {
        const { attempts, reason, write } = request;
        const status = (response?.status ?? (write && request.status)) || 'none';
        calls.ended.inc({ endpoint, reason: attempts > 1 ? 'retry' : reason, status });
        calls.seconds.observe({ endpoint }, (performance.now() - begin) / 1000);
      }
      done(error, response);
    });
  };
}

/**
 * Why a call is made. `bisect` reads a part of a page that failed. `reread` reads rows whose pages did not fit together.
 * `dialect` and `filter check` find out what the service speaks and has, and `token` whether it accepts one. `renewal` replaces a stale page of the list cache; `retry` follows a failed attempt.
 */
export type CallReason =
  | 'root'
  | 'write'
  | 'by id'
  | 'list scan'
  | 'bisect'
  | 'reread'
  | 'dialect'
  | 'filter check'
  | 'token'
  | 'renewal'
  | 'retry';

/** Counts the calls of the service. */
export class CallCounts {
  inFlight = 0;
  /** `status` is `none` for calls without an answer. */
  readonly ended = counter('upstream_calls_total', 'Calls of the service by why they were made and their status.', [
    'endpoint',
    'reason',
    'status',
  ]);
  readonly seconds = histogram(
    'upstream_call_seconds',
    'From a call, its wait for a connection included, to its answer.',
    ['endpoint'],
    durationBuckets,
  );
  readonly notSent = counter('upstream_not_sent_total', 'Calls that were not sent, by the code of the error.', [
    'endpoint',
    'code',
  ]);
  readonly saved = counter('upstream_saved_total', 'Calls that were not needed, by where the answer came from.', [
    'endpoint',
    'by',
  ]);
}
