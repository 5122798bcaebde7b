import type { Outcome } from './outcome.ts';

/** The write of one field of Mutation under an Idempotency-Key. Its record is named by the key and the field. */
export interface Write {
  /** A digest of the service, the caller and the Idempotency-Key. */
  key: string;
  /** The name of the field in the answer. */
  field: string;
  /** A digest of the operation: all writes of a key belong to one. */
  request: string;
  /** A digest of the API key. */
  caller: string;
}

/** The right to make a write, until a time in milliseconds since 1970. */
export interface Lease {
  /** Another one for each claim. */
  token: string;
  until: number;
}

export type Claim =
  | { is: 'granted' }
  /** The record of an equal request. */
  | { is: 'found'; record: Lease | Outcome }
  | { is: 'of another request' }
  /** `setting`: the bound that is reached. */
  | { is: 'refused'; setting: 'writes' | 'writesPerCaller' }
  /** The store may lose records. */
  | { is: 'unsafe'; reason: string };

/** Stores the records of writes, each until it expires. */
export interface RecordStore {
  /** Starts the store's thread, where it has one. */
  start?(): Promise<unknown>;
  /** Stores the lease unless the key has a record of the field or of another request, in one atomic step. */
  claim(write: Write, lease: Lease): Promise<Claim>;
  /** Replaces the lease of the same token, and nothing else. */
  renew(write: Write, lease: Lease): Promise<void>;
  set(write: Write, outcome: Outcome): Promise<void>;
  /** Removes the lease of the same token, and nothing else. */
  remove(write: Write, lease: Lease): Promise<void>;
  /** False where the store is known not to answer. Absent where nothing knows before it is asked. */
  readonly isAvailable?: boolean;
  /** Resolves when the store answers. */
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

export interface RecordLimits {
  ttlMs: number;
  /** Records at most. */
  writes: number;
  writesPerCaller: number;
}

/** The record of a lease as text. It begins with the token. */
export function leaseText({ token, until }: Lease): string {
  return `${token} ${until}`;
}

export function recordOf(text: string): Lease | Outcome {
  if (text.startsWith('{')) return JSON.parse(text);
  const [token = '', until] = text.split(' ');
  return { token, until: Number(until) };
}
