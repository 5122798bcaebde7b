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

/** Changed answers of an endpoint, without an equal one in between, after which the cache watches one path alone. */
const maxChanges = 16;
/** Answers of other paths until the cache watches another path: the watched one may never come again. */
const patience = 10_000;
/** Answers until the cache watches the next path, after that of the watched one has changed. */
const pause = 64;

/** How the answers of one endpoint change. */
interface Changes {
  count: number;
  /** The path that shows whether answers are equal again. */
  watched: string;
  /** Answers until the next path is watched. */
  left: number;
}

/**
 * The last answer of the service by path, for all callers. Clients that poll, or see the same rows, mostly get
 * equal answers. The gateway parses equal bytes once. For an endpoint whose answers change, the cache would cost more than
 * it saves. There it watches one path at a time, until an answer is equal again.
 */
export class ParsedBodyCache {
  readonly maxBytes: number;
  readonly #latest: LRUCache<string, ResponseBody>;
  readonly #changes = new Map<EndpointName, Changes>();

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
    const isWatched = path === changes.watched;
    if (changes.count >= maxChanges && !isWatched) {
      changes.left -= 1;
      if (changes.left > 0) return new ResponseBody(bytes);
      changes.watched = path;
      changes.left = patience;
    }
    const latest = this.#latest.get(path);
    if (latest?.bytes.equals(bytes)) {
      changes.count = 0;
      return latest;
    }
    if (latest) changes.count += 1;
    if (isWatched) Object.assign(changes, { watched: '', left: pause });
    const body = new ResponseBody(bytes);
    this.#latest.set(path, body);
    return body;
  }
}

const noChanges = (): Changes => ({ count: 0, watched: '', left: 0 });
