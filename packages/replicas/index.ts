export type { Carrier } from './share/carrier.ts';
export { defaultShareSettings, openShared, type ShareOptions, type ShareSettings } from './share/shared.ts';
export { startWorkers } from './workers/primary.ts';
export { connectToPrimary, type Primary } from './workers/worker.ts';
