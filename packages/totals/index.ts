export { totals } from './totals.ts';
