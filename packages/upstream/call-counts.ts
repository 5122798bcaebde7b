import { counter, durationBuckets, histogram } from '@gateway/base';
import { NotSentError } from './errors.ts';
import type { UpstreamEvents } from './events.ts';

/** Counts the calls of the service, from their wait for a connection to their answers. */
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

  constructor(events: UpstreamEvents) {
    events.on('callBegin', () => {
      this.inFlight += 1;
    });
    events.on('callEnd', ({ request, attempt, status, beganAt }, error, response) => {
      const { endpoint, origin, write } = request;
      this.inFlight -= 1;
      if (error instanceof NotSentError) return this.notSent.inc({ endpoint, code: error.code });
      const reason = attempt > 1 ? 'retry' : origin.reason;
      this.ended.inc({ endpoint, reason, status: (response || write ? status : 0) || 'none' });
      this.seconds.of({ endpoint }).observe((performance.now() - beganAt) / 1000);
    });
  }
}
