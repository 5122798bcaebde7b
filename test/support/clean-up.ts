import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { countProcesses, endProcesses } from './own-process.ts';
import { closeConnections } from './worker-connections.ts';

// Vitest runs this file anew for each test file, while it loads other modules once for each worker.

let ofFile = 0;
beforeEach(() => {
  ofFile = countProcesses();
});
afterEach(() => {
  // A clock that a failed test has set would fail the tests after it too.
  vi.restoreAllMocks();
  closeConnections();
  endProcesses(ofFile);
});
afterAll(() => endProcesses(0));
