export { push } from './push.ts';
export { pushSdl } from './push-sdl.ts';
