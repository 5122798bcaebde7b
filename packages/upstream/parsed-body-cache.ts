import { jsonOrUndefined, madeOnce } from '@gateway/base';
import type { EndpointName } from '@gateway/contract';
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
   * Parses anew at the first two readings; read an answer once. Undefined for anything but JSON. From the second reading on
   * all readers share the objects. Code may add to them only data that follows from the answer or is true for all callers.
   */
  parse(): unknown {
    if (this.#json !== undefined) return this.#json;
    const json = jsonOrUndefined(this.text);
    // Most answers are read once, and long-lived objects are dear to the garbage collector.
    this.#readings += 1;
    if (this.#readings > 1) this.#json = json;
    return json;
  }
}

/** Changed answers of an endpoint, without an equal one in between, after which the cache takes few of its answers. */
const maxChanges = 16;
/** The part that it takes then: one of so many. */
const sample = 64;

/**
 * The last answer of the service by path, for all callers. Clients that poll, or see the same rows, mostly get
 * equal answers. The gateway parses equal bytes once. For an endpoint whose answers change, the cache would cost more than
 * it saves. It takes a sample of them, until an answer is equal again.
 */
export class ParsedBodyCache {
  readonly maxBytes: number;
  readonly #latest: LRUCache<string, ResponseBody>;
  readonly #changes = new Map<EndpointName, { count: number; passed: number }>();

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
  of(endpoint: EndpointName, path: string, bytes: Buffer): ResponseBody {
    const changes = madeOnce(this.#changes, endpoint, noChanges);
    const latest = this.#latest.get(path);
    if (latest?.bytes.equals(bytes)) {
      changes.count = 0;
      return latest;
    }
    if (latest) changes.count += 1;
    changes.passed += 1;
    const body = new ResponseBody(bytes);
    if (changes.count < maxChanges || changes.passed % sample === 0) this.#latest.set(path, body);
    else if (latest) this.#latest.delete(path);
    return body;
  }
}

const noChanges = () => ({ count: 0, passed: 0 });
