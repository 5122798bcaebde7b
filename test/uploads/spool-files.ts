import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect } from 'vitest';

/** Temporary files of uploads: in their folder, and (on Linux) open without a name. */
export const spoolFiles = (): string[] => [
  ...readdirSync(tmpdir()).filter((name) => name.startsWith('upload-')),
  ...readdirSync('/dev/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/dev/fd/${fd}`);
      } catch {
        return ''; // closed meanwhile, or a system without links there
      }
    })
    .filter((path) => path.includes('/upload-')),
];

export const expectNoSpoolFiles = () => expect.poll(spoolFiles).toEqual([]);
