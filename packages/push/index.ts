export { push } from './push.ts';
