export { push } from './push.ts';
export { pushSdl, pushTypesFile } from './push-sdl.ts';
