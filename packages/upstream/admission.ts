import { type CallerQueue, type FairQueue, retryAfterSeconds, type Task } from '@gateway/base';
import type { AdaptiveConcurrency, AnsweredCall } from './adaptive-concurrency.ts';
import type { BackgroundReads } from './background-reads.ts';
import { NotSentError, whenSent, writeNotSent } from './errors.ts';
import type { Abortable, Call, Interceptor, UpstreamResponse } from './request.ts';

export interface AdmissionOptions {
  connections: number;
  /** Bounds the calls in flight; absent where connections alone do. */
  concurrency: AdaptiveConcurrency | undefined;
  /** Takes the reads whose client has left, and on which the service still works. */
  background: BackgroundReads;
  /** Milliseconds that a read may be in flight after its client has left, from its beginning. */
  readMs: number;
  /** Milliseconds that the first call of an operation may wait. Its further calls wait until the operation ends. */
  queueMs: number;
  /** The same for a write. */
  writeMs: number;
}

/**
 * Sends as many calls as the service works on. The others wait, in the order that is fair to all callers. A call that waits
 * too long is refused before it costs the service anything. Under a learnt limit, a read whose client leaves stays in flight.
 * The service works on it all the same, and a call in its place would only wait inside the service.
 */
export function admission(queue: FairQueue, options: AdmissionOptions): Interceptor {
  const { connections, concurrency, background, queueMs, readMs, writeMs } = options;
  /** The client sets their pace, not the service: they have connections beside the limit. */
  let uploads = 0;
  const resize = () => {
    if (concurrency) queue.limit = Math.min(connections, concurrency.limit + uploads);
  };
  return (next) => (call, done) => {
    const { caller, signal, write } = call.request;
    const isUpload = write?.file !== undefined;
    const end = () => {
      if (isUpload) uploads -= 1;
      resize();
    };
    const send = (place: CallerQueue): Abortable => {
      signal.sent += 1;
      let isAbandoned = false;
      if (!isUpload) concurrency?.begin(performance.now());
      const sent = next(call, (error, response) => {
        if (isAbandoned) background.delete(sent);
        if (!isUpload) concurrency?.end(performance.now(), answered(call, response));
        end();
        queue.release(place);
        if (!isAbandoned) done(error, response);
      });
      if (write || !concurrency) return sent;
      return {
        abort(reason) {
          const leftMs = call.onWire ? call.onWire.beganAt + readMs - performance.now() : 0;
          // A service whose answer has begun has done its work.
          if (!concurrency.isLearnt || call.status > 0 || leftMs <= 0) return sent.abort(reason);
          isAbandoned = true;
          background.add(sent, leftMs);
          done(whenSent(reason), undefined);
        },
      };
    };
    if (isUpload) uploads += 1;
    resize();
    const place = queue.enter(caller.share);
    if (place) return send(place);
    const task: Task = {
      get isBegun() {
        return signal.sent > 0;
      },
      begin(place) {
        sent = send(place);
      },
      late() {
        if (write || signal.sent === 0) abort(new NotSentError('OVERLOADED', tooLate, retryAfterSeconds()));
      },
    };
    let sent: Abortable | undefined;
    const abort = (reason: unknown) => {
      if (sent) return sent.abort(reason);
      // The client may leave after the call was refused.
      if (!queue.leave(caller.share, task)) return;
      end();
      done(write ? writeNotSent(reason) : reason, undefined);
    };
    const maxMs = signal.sent > 0 ? undefined : queueMs;
    queue.wait(caller.share, task, write ? writeMs : maxMs);
    return { abort };
  };
}

const tooLate = 'The service has more to do than it can: the call has waited for too long.';

/** A call that shows how long the service takes: its own failures may be fast. */
function answered(
  { request: { endpoint }, onWire }: Call,
  response: UpstreamResponse | undefined,
): AnsweredCall | undefined {
  if (!onWire || !response || response.cut || response.status === 429 || response.status >= 500) return undefined;
  return { endpoint, bytes: response.body.bytes.length, ahead: onWire.ahead, ms: onWire.ms };
}
