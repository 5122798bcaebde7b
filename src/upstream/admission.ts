import { performance } from 'node:perf_hooks';
import { retryAfterSeconds } from '../lib/retry-after.ts';
import type { AdaptiveConcurrency } from './adaptive-concurrency.ts';
import { NotSentError, writeNotSent } from './errors.ts';
import type { CallerQueue, FairQueue, Task } from './fair-queue.ts';
import type { Interceptor, UpstreamResponse } from './request.ts';

export interface AdmissionOptions {
  connections: number;
  /** Bounds the calls in flight; absent where connections alone do. */
  concurrency: AdaptiveConcurrency | undefined;
  /** Milliseconds that the first call of an operation may wait. Its further calls wait until the operation ends. */
  queueMs: number;
  /** The same for a write. */
  writeMs: number;
}

/**
 * Sends as many calls as the service works on. The others wait, in the order that is fair to all callers. A call that waits
 * too long is refused before it costs the service anything.
 */
export function admission(queue: FairQueue, options: AdmissionOptions): Interceptor {
  const { connections, concurrency, queueMs, writeMs } = options;
  /** The client sets their pace, not the service: they have connections beside the limit. */
  let uploads = 0;
  const resize = () => {
    if (concurrency) queue.limit = Math.min(connections, concurrency.limit + uploads);
  };
  return (next) => (request, done) => {
    const { caller, signal, write } = request;
    const isUpload = write?.file !== undefined;
    const end = () => {
      if (isUpload) uploads -= 1;
      resize();
    };
    const send = (place: CallerQueue) => {
      const call = { endpoint: request.endpoint, inFlight: queue.running - uploads, beganAt: performance.now() };
      const idleAt = idleMs();
      signal.isBegun = true;
      next(request, (error, response) => {
        const endedAt = performance.now();
        if (!isGood(response)) concurrency?.fail(endedAt);
        else if (!isUpload) {
          const { length: bytes } = response.body.bytes;
          concurrency?.learn({ ...call, bytes, endedAt, ms: Math.max(leastMs, idleMs() - idleAt) });
        }
        end();
        queue.release(place);
        done(error, response);
      });
    };
    if (isUpload) uploads += 1;
    resize();
    const place = queue.enter(caller.share);
    if (place) return send(place);
    const task: Task = {
      get isBegun() {
        return signal.isBegun === true;
      },
      begin(place) {
        clearTimeout(timer);
        send(place);
      },
    };
    const abort = (reason: unknown) => {
      // The client may leave after the call was refused.
      if (!queue.leave(caller.share, task)) return;
      clearTimeout(timer);
      end();
      done(write ? writeNotSent(reason) : reason, undefined);
    };
    const refuse = () => {
      if (write || !signal.isBegun) abort(new NotSentError('OVERLOADED', tooLate, retryAfterSeconds()));
    };
    const timer = write || !signal.isBegun ? setTimeout(refuse, write ? writeMs : queueMs) : undefined;
    request.controller = { abort };
    queue.wait(caller.share, task);
  };
}

/** A busy gateway may not wait at all. Shorter times are nothing to compare. */
const leastMs = 1;

const tooLate = 'The service has more to do than it can: the call has waited for too long.';

function isGood(response: UpstreamResponse | undefined): response is UpstreamResponse {
  return response !== undefined && response.status >= 200 && response.status < 300 && !response.cut;
}

/** Milliseconds that the event loop has waited so far. */
function idleMs(): number {
  return performance.eventLoopUtilization().idle;
}
