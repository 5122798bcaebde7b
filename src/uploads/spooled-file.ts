import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { overloaded } from '../graphql/errors/overloaded.ts';
import type { MemoryShare } from '../lib/memory-budget.ts';

export interface SpooledFile {
  bytes: number;
  /** The content, to be read once. */
  createReadStream(): Readable;
  close(): Promise<void>;
}

/**
 * Stores a stream of unknown length on disk. The file has no name, so that the system deletes the file with the process.
 * @throws OVERLOADED (503) where the share has no room.
 */
export async function spool(content: Readable, share: MemoryShare): Promise<SpooledFile> {
  const path = join(tmpdir(), `upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  let reader: Readable | undefined;
  let bytes = 0;
  async function* counted() {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (!share.take(chunk.length)) throw overloaded();
      bytes += chunk.length;
      yield chunk;
    }
  }
  const close = async () => {
    reader?.destroy(); // a handle does not close while a stream reads from it
    await handle.close();
    share.release(bytes);
    bytes = 0;
  };
  try {
    await unlink(path);
    await handle.writeFile(counted());
    const createReadStream = () => {
      reader ??= handle.createReadStream({ start: 0 }).on('error', () => {});
      return reader;
    };
    return { bytes, createReadStream, close };
  } catch (error) {
    await close();
    throw error;
  }
}
