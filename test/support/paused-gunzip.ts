import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';
import { onTestFinished, vi } from 'vitest';

type Gunzip = (body: Buffer, options: object, done: (...result: unknown[]) => void) => void;

/** Holds a packed body until the test lets it go. `begun`: the gateway unpacks it. `letGo` resolves when it is unpacked. */
export function pauseGunzip(): { begun: Promise<void>; letGo(): Promise<void> } {
  const gunzip = zlib.gunzip as Gunzip;
  const [begun, gone, unpacked] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const pausing: Gunzip = (body, options, done) => {
    begun!.resolve();
    void gone!.promise.then(() =>
      gunzip(body, options, (...result) => {
        done(...result);
        unpacked!.resolve();
      }),
    );
  };
  vi.spyOn(zlib, 'gunzip').mockImplementation(pausing as never);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return {
    begun: begun!.promise,
    letGo() {
      gone!.resolve();
      return unpacked!.promise;
    },
  };
}
