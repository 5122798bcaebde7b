import type { Json } from '@gateway/base';

/** The arguments of `push`, as its SDL has them. */
export interface PushArgs {
  writes: readonly WriteInput[];
}

export interface WriteInput {
  key: string;
  ref?: string | null;
  /** One write: its input by the name of its endpoint. */
  write: Readonly<Record<string, Json>>;
}

/** `UNKNOWN`: the service may have made the write. `REPLAYED`: an earlier request has made it. */
export type WriteStatus = 'DONE' | 'NOT_TRIED' | 'REFUSED' | 'REPLAYED' | 'UNKNOWN';
