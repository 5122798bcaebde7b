import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface SpooledFile {
  bytes: number;
  /** The content, to be read once. */
  createReadStream(): Readable;
  close(): Promise<void>;
}

/** Stores a stream of unknown length on disk. The file has no name, so that the system deletes the file with the process. */
export async function spool(content: Readable): Promise<SpooledFile> {
  const path = join(tmpdir(), `upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  let reader: Readable | undefined;
  const close = async () => {
    reader?.destroy(); // a handle does not close while a stream reads from it
    await handle.close();
  };
  try {
    await unlink(path);
    await handle.writeFile(content);
    const { size } = await handle.stat();
    const createReadStream = () => {
      reader ??= handle.createReadStream({ start: 0 }).on('error', () => {});
      return reader;
    };
    return { bytes: size, createReadStream, close };
  } catch (error) {
    await close();
    throw error;
  }
}
