import type { ErrorCode } from '../graphql/errors/codes.ts';
import { Distributions, durations } from '../lib/distribution.ts';
import { Tally } from '../lib/tally.ts';
import type { CurrentRequest, OperationKind } from './current-request.ts';

/** `partial`: errors beside data; `failed`: errors alone; `left`: nobody waited for the answer. */
export type Outcome = 'ok' | 'partial' | 'failed' | 'left';

/** What the clients ask for, and what they get, counted. */
export class Traffic {
  readonly answers = new Map<number, number>();
  readonly operations = new Tally<OperationKind, Outcome>();
  /** Seconds from the head of a request to the end of its answer. */
  readonly took = new Distributions<OperationKind>(durations);
  readonly errors = new Map<ErrorCode, number>();
  readonly uploads = new Map<Outcome, number>();
  uploadedBytes = 0;
  inFlight = 0;
  /** Where operations wait until they may run. */
  queue: { readonly waiting: number } = { waiting: 0 };

  /** An operation is asked for. */
  begin(request: CurrentRequest): void {
    this.inFlight += 1;
    request.kind = 'refused';
  }

  /** Once for every request; without a status where its client has left. What became of the operation, if it asked for one. */
  end(request: CurrentRequest, status: number | undefined): Outcome | undefined {
    if (status !== undefined) add(this.answers, status);
    const { kind, errors, fileBytes } = request;
    const outcome = outcomeOf(request, status);
    // Whoever has left sees no errors.
    if (errors && outcome !== 'left') for (const [code, count] of errors) add(this.errors, code, count);
    if (kind === undefined) return undefined;
    this.inFlight -= 1;
    this.operations.add(kind, outcome);
    this.took.of(kind).observe((performance.now() - request.begin) / 1000);
    if (fileBytes !== undefined) {
      add(this.uploads, outcome);
      this.uploadedBytes += fileBytes;
    }
    return outcome;
  }
}

function outcomeOf({ errors, hasData }: CurrentRequest, status: number | undefined): Outcome {
  if (status === undefined) return 'left';
  if (!errors) return 'ok';
  return hasData ? 'partial' : 'failed';
}

function add<Key>(counts: Map<Key, number>, key: Key, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
