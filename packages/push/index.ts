export { push } from './push.ts';
export { pushRoute } from './push-route.ts';
