import { type MemoryShare, overloaded, withResolvers } from '@gateway/base';

/** Bytes that one file takes of the space. */
interface FileRoom {
  bytes: number;
}

/**
 * The space for files whose clients declare no length. Files that arrive leave room for the largest of them to its end:
 * each is whole in its turn. Those without room wait unread.
 */
export class SpoolSpace {
  readonly #share: MemoryShare;
  readonly #maxFileBytes: number;
  readonly #arriving = new Set<FileRoom>();
  #change = withResolvers<void>();

  constructor(share: MemoryShare, maxFileBytes: number) {
    this.#share = share;
    this.#maxFileBytes = maxFileBytes;
  }

  /** A new file arrives. */
  enter(): FileRoom {
    const room = { bytes: 0 };
    this.#arriving.add(room);
    return room;
  }

  /**
   * Waits until there is room for more bytes of a file. `isWanted` is asked again after each `wake`.
   * @throws OVERLOADED (503) for a file that is larger than the space.
   */
  async grow(room: FileRoom, bytes: number, isWanted: () => boolean): Promise<void> {
    if (room.bytes + bytes > this.#share.maxBytes) throw overloaded();
    while (isWanted() && !this.#take(room, bytes)) await this.#change.promise;
  }

  /** The file has arrived, and keeps its bytes until `leave`. */
  complete(room: FileRoom): void {
    this.#arriving.delete(room);
    this.wake();
  }

  leave(room: FileRoom): void {
    this.#arriving.delete(room);
    this.#share.release(room.bytes);
    room.bytes = 0;
    this.wake();
  }

  wake(): void {
    this.#change.resolve();
    this.#change = withResolvers();
  }

  /** Files that have arrived free their bytes by themselves. The bytes of the others must not stand in each other's way. */
  #take(room: FileRoom, bytes: number): boolean {
    let arriving = bytes;
    let largest = room.bytes + bytes;
    for (const other of this.#arriving) {
      arriving += other.bytes;
      largest = Math.max(largest, other.bytes);
    }
    const { maxBytes } = this.#share;
    if (arriving - largest > maxBytes - Math.min(this.#maxFileBytes, maxBytes)) return false;
    if (!this.#share.take(bytes)) return false;
    room.bytes += bytes;
    return true;
  }
}
