/** The longest pause. A caller behind a closed gate cannot learn that the service takes calls again. */
export const maxPauseSeconds = 600;

/** Pauses that a process learns from another when it begins. */
export const maxSharedPauses = 1_000;
