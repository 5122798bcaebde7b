import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Caller } from './callers/caller.ts';
import type { Json } from './json.ts';

/** The input of a write. The content of its file is part of what makes two writes equal. */
export interface RecordedInput {
  /** `content` gets all bytes of the file. */
  file?: { stream: Readable; content?: Hash };
}

export interface WriteSteps<Input> {
  send(input: Input): Promise<Json>;
  /** The time of the request is over. */
  isOver(): boolean;
  /** Makes old what any gateway has read before the write. */
  invalidate(): Promise<void> | undefined;
}

/** The records of the writes that one request makes under its Idempotency-Key. */
export interface WriteRecords {
  /** Fields of Mutation whose answers come from records, by their name in the answer. */
  readonly replayed: readonly string[];
  /** Why no write of the request was made, and nothing was sent. It is the error of the whole request. */
  readonly refusal: unknown;
  /** An equal request is making the write, and this one has not waited for its outcome. */
  readonly isInProgress: boolean;
  /** Makes a write, or gives the answer that an equal request has got. */
  write<Input extends RecordedInput>(field: string, input: Input, steps: WriteSteps<Input>): Promise<Json>;
  /** An earlier request has made the write, or may have. */
  isRecorded(field: string, isOver: () => boolean): Promise<boolean>;
}

/** Gives the records under a key. `contentOf`: what makes two writes under one key equal. */
export interface WriteRecordStore {
  under(callerOf: () => Caller, key: string, contentOf: () => readonly unknown[]): WriteRecords;
}

/** A key has 1 to 255 printable characters of ASCII. */
export function isIdempotencyKey(text: string): boolean {
  return /^[ -~]{1,255}$/.test(text);
}
