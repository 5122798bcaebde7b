/** The longest pause. A caller behind a closed gate cannot learn that the service takes calls again. */
export const maxPauseSeconds = 600;

/** Pauses that a process learns from another when it begins. */
export const maxSharedPauses = 1_000;

/** The knowledge of a process, which a new one need not learn by itself. */
export interface Learnt {
  /** Digests of keys, with the seconds for which the service wants no calls of theirs. */
  pauses: [keyDigest: string, seconds: number][];
  /** By endpoint. */
  costs: Readonly<Record<string, { callMs: number; rowMs: number }>>;
  parallelism: number;
}
