import { LRUCache } from 'lru-cache';

/** Bytes of memory that an answer takes beside its own. */
const overhead = 1_000;

/** The body of an answer. */
export class ResponseBody {
  readonly bytes: Buffer;
  /** The gateway has compared the body with the contract. Equal bytes have the same drift. */
  isExamined = false;
  #json: unknown;
  #readings = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get text(): string {
    const hasByteOrderMark = this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf;
    return this.bytes.toString('utf8', hasByteOrderMark ? 3 : 0);
  }

  /**
   * Undefined for anything but JSON. From the second reading on all readers share the objects. Code may add to them
   * only data that follows from the answer or is true for all callers.
   */
  get json(): unknown {
    if (this.#json !== undefined) return this.#json;
    const json = parsed(this.text);
    // Most answers are read once, and long-lived objects are dear to the garbage collector.
    this.#readings += 1;
    if (this.#readings > 1) this.#json = json;
    return json;
  }
}

/**
 * The last answer of the service by path, for all callers. Clients that poll, or share a company, mostly get
 * equal answers. The gateway parses equal bytes once.
 */
export class ParsedBodyCache {
  readonly maxBytes: number;
  readonly #latest: LRUCache<string, ResponseBody>;

  /** `maxBytes` bounds the bytes; parsed they take about four times as much. */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#latest = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.ceil(maxBytes / 4),
      sizeCalculation: ({ bytes }) => bytes.length + overhead,
    });
  }

  get bytes(): number {
    return this.#latest.calculatedSize;
  }

  /** The body of an answer that has come. */
  of(path: string, bytes: Buffer): ResponseBody {
    const latest = this.#latest.get(path);
    if (latest?.bytes.equals(bytes)) return latest;
    const body = new ResponseBody(bytes);
    this.#latest.set(path, body);
    return body;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
