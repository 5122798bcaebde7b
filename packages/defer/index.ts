export { defer } from './defer.ts';
