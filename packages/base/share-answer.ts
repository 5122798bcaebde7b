/** Calls that come while one is under way get the answer of that one. */
export function shareAnswer<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  const end = () => {
    asking = undefined;
  };
  return () => (asking ??= ask().finally(end));
}
