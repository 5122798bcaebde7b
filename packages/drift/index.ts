export { ContractDrift, watchDrift } from './contract-drift.ts';
