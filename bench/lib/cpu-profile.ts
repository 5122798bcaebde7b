import { connectInspector } from './inspector.ts';

/** As the Chrome DevTools protocol gives it; times are microseconds. */
export interface Profile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
  timeDeltas: number[];
}

/** Samples what the Node process behind that inspector does while `work` is under way. */
export async function profileCpu(inspectorPort: number, work: () => Promise<unknown>): Promise<Profile> {
  const { send, close } = await connectInspector(inspectorPort);
  await send('Profiler.enable');
  await send('Profiler.setSamplingInterval', { interval: 250 });
  await send('Profiler.start');
  await work();
  const { profile } = await send<{ profile: Profile }>('Profiler.stop');
  close();
  return profile;
}
