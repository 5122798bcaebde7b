import type { Caller, Json } from '@gateway/base';
import type { WriteInput } from '../call/request.ts';

/** The records of the writes that one request makes under its Idempotency-Key. A server keeps them. */
export interface WriteRecords {
  /** Fields of Mutation whose answers come from records. */
  readonly replayed: readonly string[];
  /** Why no write of the request was made, and nothing was sent. */
  readonly refusal: unknown;
  /** An equal request is making the write. */
  readonly isInProgress: boolean;
  /** Makes a write, or gives the answer that an equal request has got. */
  write(
    field: string,
    input: WriteInput,
    steps: {
      send(input: WriteInput): Promise<Json>;
      isOver(): boolean;
      invalidate(): Promise<void> | undefined;
    },
  ): Promise<Json>;
  /** An earlier request has made the write, or may have. */
  isRecorded(field: string, isOver: () => boolean): Promise<boolean>;
}

/** Gives the records under a key. `contentOf`: what makes two writes under one key equal. */
export interface WriteRecordStore {
  under(callerOf: () => Caller, key: string, contentOf: () => readonly unknown[]): WriteRecords;
}
