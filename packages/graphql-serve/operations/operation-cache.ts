import { hash } from 'node:crypto';
import { counter, type Field, type FieldTree, type MemoryUse, type Selection, ValidDocument } from '@gateway/base';
import { LRUCache } from 'lru-cache';

/**
 * Growth of the heap after garbage collections, over hundreds of documents. A token with its node takes 300 to 390 bytes. A
 * field with its reader takes 420 bytes, and 1,300 after V8 has made code of it. Its plan and cost take 200 more.
 */
const bytesPerToken = 400;
const bytesPerField = 1_500;
/** The entry in the cache, the operation and its fragments. */
const bytesPerEntry = 2_000;

/**
 * Documents that clients send again and again, and trees of fields with everything that is compiled for them. To parse,
 * validate and compile takes longer than to run most operations. Nothing is cached that came once. One bound holds for
 * all: what nobody has used for the longest time goes first.
 */
export class OperationCache implements MemoryUse {
  readonly misses = counter(
    'operation_cache_misses_total',
    'Documents that were parsed and trees that were compiled for a key, because the operation cache lacks them.',
  );
  readonly maxBytes: number;
  /** Documents by their text, and trees by a key that is no valid document. */
  readonly #entries: LRUCache<string, ValidDocument | FieldTree>;
  readonly #seenOnce = new SeenOnce();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.ceil(maxBytes / 4),
      sizeCalculation: bytesOf,
    });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  document(text: string): ValidDocument | undefined {
    const cached = this.#entries.get(text);
    return cached instanceof ValidDocument ? cached : undefined;
  }

  /** A tree by `Operation.treeKey`. */
  tree(key: string): FieldTree | undefined {
    return this.#entries.get(key) as FieldTree | undefined;
  }

  /** Caches what comes for the second time. */
  add(key: string, entry: ValidDocument | FieldTree): void {
    this.misses.inc();
    if (this.#seenOnce.hasOrAdd(key)) this.#entries.set(key, entry);
  }
}

function bytesOf(entry: ValidDocument | FieldTree): number {
  return entry instanceof ValidDocument ? bytesOfDocument(entry) : bytesOfTree(entry);
}

function bytesOfDocument({ node }: ValidDocument): number {
  let tokens = 0;
  // Comments are tokens too.
  for (let token = node.loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  const characters = node.loc?.source.body.length ?? 0;
  return bytesPerEntry + tokens * bytesPerToken + characters * 2;
}

function bytesOfTree(tree: FieldTree): number {
  let bytes = bytesPerEntry;
  const counted = new Set<Selection>();
  const add = (field: Field): void => {
    // The generated code repeats each key.
    bytes += bytesPerField + field.key.length;
    for (const type of field.objectTypes) {
      const selection = field.select(type);
      if (counted.has(selection)) continue;
      counted.add(selection);
      selection.fields.forEach(add);
    }
  };
  try {
    tree.fields.forEach(add);
    return bytes;
  } catch {
    // A null for @skip or @include fails in every request, so the tree is not worth its room.
    return Number.MAX_SAFE_INTEGER;
  }
}

/**
 * Remembers the last texts that came once, by a part of their digest. The memory is fixed: a text takes the place of the
 * older of two. Caches call this a doorkeeper.
 */
class SeenOnce {
  readonly #marks = new Uint32Array(2 ** 14);

  /** True for a text that came before. */
  hasOrAdd(text: string): boolean {
    const digest = hash('sha256', text, 'buffer');
    const newer = 2 * (digest.readUInt32LE(0) % (this.#marks.length / 2));
    const mark = digest.readUInt32LE(4);
    if (this.#marks[newer] === mark || this.#marks[newer + 1] === mark) return true;
    this.#marks[newer + 1] = this.#marks[newer] as number;
    this.#marks[newer] = mark;
    return false;
  }
}
