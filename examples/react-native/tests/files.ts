import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DeviceFile } from '../src/device-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'phone-'));

/** A photograph on the device, as far as its first bytes say. */
export const photograph = (name: string): DeviceFile =>
  saved(
    name,
    'image/jpeg',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), Buffer.from(`JFIF\0${name}`.padEnd(5_000))]),
  );

export function saved(name: string, type: string, content: string | Buffer): DeviceFile {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { uri: pathToFileURL(path).href, type, name };
}
