import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { SpoolSpace } from './spool-space.ts';

export interface SpooledFile {
  bytes: number;
  /** The content, to be read once. */
  createReadStream(): Readable;
  close(): Promise<void>;
}

export interface SpoolOptions {
  space: SpoolSpace;
  /** The temporary folder takes no file, or no more of it. */
  onNoDisk(error: unknown): void;
}

/** A client decides how small the chunks of its request are. Each takes more memory than its bytes. */
const blockBytes = 64 * 1024;

/**
 * Stores a stream of unknown length on disk, or in memory what the disk does not take. Waits for room in the space.
 * @throws OVERLOADED (503) for a file that is larger than the space.
 */
export async function spool(content: Readable, { space, onNoDisk }: SpoolOptions): Promise<SpooledFile> {
  const room = space.enter();
  // A client that leaves while its file waits gives its bytes back.
  content.once('close', () => space.wake());
  const blocks = new Blocks(await openUnnamed().catch((error) => void onNoDisk(error)), onNoDisk);
  const close = async () => {
    await blocks.close();
    space.leave(room);
  };
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      await space.grow(room, chunk.length, () => !content.readableAborted);
      await blocks.add(chunk);
    }
    await blocks.flush();
    space.complete(room);
    return { bytes: room.bytes, createReadStream: () => blocks.read(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Bytes in their order: first those on the disk, then those in memory. */
class Blocks {
  readonly #file: FileHandle | undefined;
  readonly #onNoDisk: (error: unknown) => void;
  #bytesOnDisk = 0;
  readonly #inMemory: Buffer[] = [];
  #block = Buffer.allocUnsafe(blockBytes);
  #filled = 0;
  #reader: Readable | undefined;

  constructor(file: FileHandle | undefined, onNoDisk: (error: unknown) => void) {
    this.#file = file;
    this.#onNoDisk = onNoDisk;
  }

  async add(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.#block, this.#filled, at);
      at += copied;
      this.#filled += copied;
      if (this.#filled === blockBytes) await this.flush();
    }
  }

  async flush(): Promise<void> {
    if (this.#filled === 0) return;
    const block = this.#block.subarray(0, this.#filled);
    this.#filled = 0;
    if (await this.#isWritten(block)) return;
    this.#inMemory.push(block);
    this.#block = Buffer.allocUnsafe(blockBytes);
  }

  read(): Readable {
    this.#reader ??= Readable.from(this.#content()).on('error', () => {});
    return this.#reader;
  }

  async close(): Promise<void> {
    this.#reader?.destroy(); // a handle does not close while a stream reads from it
    await this.#file?.close();
    this.#inMemory.length = 0;
  }

  async #isWritten(block: Buffer): Promise<boolean> {
    if (!this.#file || this.#inMemory.length > 0) return false;
    try {
      for (let at = 0; at < block.length; ) {
        at += (await this.#file.write(block, at, block.length - at, this.#bytesOnDisk + at)).bytesWritten;
      }
      this.#bytesOnDisk += block.length;
      return true;
    } catch (error) {
      this.#onNoDisk(error);
      return false;
    }
  }

  async *#content(): AsyncGenerator<Buffer> {
    if (this.#file && this.#bytesOnDisk > 0) {
      yield* this.#file.createReadStream({ start: 0, end: this.#bytesOnDisk - 1 });
    }
    yield* this.#inMemory;
  }
}

/** The file has no name, so that the system deletes it with the process. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path).catch(async (error) => {
    await file.close();
    throw error;
  });
  return file;
}
