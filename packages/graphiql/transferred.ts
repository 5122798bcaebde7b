/** A busy browser begins a request so long after its call. The page begins no other request within that time. */
const longestStartMs = 100;

/**
 * Reports the bytes of an answer on the wire, compressed as they came. Call it right before the request. The browser knows
 * them a moment after the answer is read. The function that it returns ends the wait.
 */
export function onTransferred(report: (bytes: number) => void): () => void {
  const startedAt = performance.now();
  const observer = new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries() as PerformanceResourceTiming[]) {
      // Browsers round times, also to an earlier one.
      const startMs = entry.startTime - startedAt;
      const isOwn = entry.initiatorType === 'fetch' && startMs > -1 && startMs < longestStartMs;
      if (!isOwn || entry.encodedBodySize === 0) continue;
      observer.disconnect();
      report(entry.encodedBodySize);
    }
  });
  observer.observe({ type: 'resource' });
  return () => observer.disconnect();
}
