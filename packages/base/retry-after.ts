/** Each client gets a random time up to this one, so that not all clients come back at once. */
const maxRetryAfterSeconds = 5;

/** Seconds after which a client that was refused may come back. */
export function retryAfterSeconds(): number {
  return 1 + Math.floor(Math.random() * maxRetryAfterSeconds);
}
