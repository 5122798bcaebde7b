/** The page begins no two requests within so many milliseconds. */
const sameRequestMs = 5;

/**
 * Reports the bytes of an answer on the wire, compressed as they came. Call it right before the request. The browser knows
 * them a moment after the answer is read. The function that it returns ends the wait.
 */
export function onTransferred(report: (bytes: number) => void): () => void {
  const startedAt = performance.now();
  const observer = new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries() as PerformanceResourceTiming[]) {
      const isOwn = entry.initiatorType === 'fetch' && Math.abs(entry.startTime - startedAt) < sameRequestMs;
      if (!isOwn || entry.encodedBodySize === 0) continue;
      observer.disconnect();
      report(entry.encodedBodySize);
    }
  });
  observer.observe({ type: 'resource' });
  return () => observer.disconnect();
}
