import { counter, durationBuckets, histogram } from '../lib/metrics.ts';
import type { EndpointName } from './endpoints.ts';
import { NotSentError, type UpstreamErrorCode } from './errors.ts';
import type { Interceptor } from './request.ts';

/** Counts each attempt, from its wait for a connection to its answer. */
export function countCalls(calls: CallCounts): Interceptor {
  return (next) => (request, done) => {
    const begin = calls.begin();
    next(request, (error, response) => {
      const { endpoint, attempts, reason, write, status } = request;
      if (error instanceof NotSentError) calls.withdraw(endpoint, error.code);
      else {
        const answered = response ? response.status : write && status !== 0 ? status : undefined;
        calls.end(endpoint, attempts > 1 ? 'retry' : reason, answered, begin);
      }
      done(error, response);
    });
  };
}

/** Why a call is made. `renewal` replaces a stale page of the list cache; `retry` follows a failed attempt. */
export type CallReason = 'root' | 'write' | 'by id' | 'list scan' | 'renewal' | 'retry';

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

  /** Call before a call of the service. Returns its start, for `end`, in milliseconds of performance.now(). */
  begin(): number {
    this.inFlight += 1;
    return performance.now();
  }

  /** Call once for each `begin`. */
  end(endpoint: EndpointName, reason: CallReason, status: number | undefined, begin: number): void {
    this.inFlight -= 1;
    this.ended.inc({ endpoint, reason, status: status ?? 'none' });
    this.seconds.observe({ endpoint }, (performance.now() - begin) / 1000);
  }

  /** Call instead of `end` where nothing was sent; `code` is that of the error which says so. */
  withdraw(endpoint: EndpointName, code: UpstreamErrorCode): void {
    this.inFlight -= 1;
    this.notSent.inc({ endpoint, code });
  }
}
