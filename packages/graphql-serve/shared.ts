import { codedError, type Learnt, type Metric, type WriteRecordStore, type WriteRecords } from '@gateway/base';

/** Knowledge that other gateways of a service need too. `endpoint`: of the service, by its name. */
export interface SharedState {
  /** Makes old what was read before a write of a key. `isUnknown`: the write may come later. */
  invalidate(keyDigest: string, endpoint?: string, isUnknown?: boolean): void;
  /** Another gateway may have written, for any key. */
  invalidateAll(): void;
  /** The service no longer accepts a key. */
  refuse(keyDigest: string): void;
  /** The service has asked a caller to slow down. */
  pause(keyDigest: string, seconds: number): void;
  /** For a gateway that begins. */
  learnt(): Learnt;
  adopt(learnt: Learnt): void;
}

/** Things that the gateways of one service share. `@gateway/replicas` opens them. */
export interface Shared {
  others: {
    /** Called before the server takes a request. */
    listen(state: SharedState): Promise<void>;
    /** Resolves when the messages are read that came before a request. Absent in a gateway that is alone. */
    untilRead?: (() => Promise<void>) | undefined;
  };
  idempotency: WriteRecordStore;
  metrics: readonly Metric[];
  close(): Promise<void>;
}

/** A server that shares nothing, and keeps no records of writes. */
export const alone: Shared = {
  others: { listen: async () => {} },
  idempotency: { under: () => new NoRecords() },
  metrics: [],
  async close() {},
};

/** Refuses the first write of a request, and so the request. A client that sends it again would write twice. */
class NoRecords implements WriteRecords {
  readonly replayed = [];
  readonly isInProgress = false;
  refusal: unknown;

  async write(): Promise<never> {
    this.refusal ??= withoutRecords();
    throw this.refusal;
  }

  isRecorded(): Promise<never> {
    return this.write();
  }
}

/** The error of a write with an Idempotency-Key. */
export function withoutRecords(): Error {
  const message = 'This server keeps no records of writes: send no Idempotency-Key.';
  return codedError('BAD_USER_INPUT', message, { http: { status: 400 } });
}
