import { afterAll, afterEach, beforeEach } from 'vitest';
import { countProcesses, endProcesses } from './own-process.ts';
import { closeConnections } from './worker-connections.ts';

// Vitest runs this file anew for each test file, while it loads other modules once for each worker.

let ofFile = 0;
beforeEach(() => {
  ofFile = countProcesses();
});
afterEach(() => {
  closeConnections();
  endProcesses(ofFile);
});
afterAll(() => endProcesses(0));
