import { connectInspector } from './inspector.ts';
import { sum } from './statistics.ts';

interface Node {
  selfSize: number;
  children: Node[];
}

/** Bytes that the Node process behind that inspector allocates while `work` is under way, those of garbage among them. */
export async function allocatedBytes(inspectorPort: number, work: () => Promise<unknown>): Promise<number> {
  const { send, close } = await connectInspector(inspectorPort);
  const collected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await send('HeapProfiler.startSampling', { samplingInterval: 4_096, ...collected });
  await work();
  const { profile } = await send<{ profile: { head: Node } }>('HeapProfiler.stopSampling');
  close();
  return sizeOf(profile.head);
}

function sizeOf({ selfSize, children }: Node): number {
  return selfSize + sum(children.map(sizeOf));
}
