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

export type Claim =
  | { is: 'granted' }
  /** The text of the record of an equal request. */
  | { is: 'found'; text: string }
  | { is: 'of another request' }
  /** `setting`: the bound that is reached. */
  | { is: 'refused'; setting: 'writes' | 'writesPerCaller' }
  /** The store may lose records. */
  | { is: 'unsafe'; reason: string };

/** Stores the records of writes as texts, each until it expires. The text of a lease begins with its token. */
export interface RecordStore {
  /** Starts the store's thread, where it has one. */
  start?(): Promise<unknown>;
  /** Stores the lease unless the key has a record of the field or of another request, in one atomic step. */
  claim(write: Write, lease: string): Promise<Claim>;
  /** Stores the record. With a token: in place of the lease of that token alone. */
  set(write: Write, text: string, token?: string): Promise<unknown>;
  /** Removes the lease of the token, and nothing else. */
  remove(write: Write, token: string): Promise<unknown>;
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
