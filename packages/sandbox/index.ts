export { presetWorld, saveWorld } from './framework/open-store.ts';
export type * from './framework/options.ts';
export { readPace } from './framework/pace.ts';
export { PaceSwitch } from './framework/pace-switch.ts';
export { type Sandbox, type SandboxOptions, startSandbox } from './server.ts';
