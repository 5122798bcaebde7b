export { drift } from './watch.ts';
