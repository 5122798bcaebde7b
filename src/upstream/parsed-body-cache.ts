import { LRUCache } from 'lru-cache';

/** Of the answers that are remembered. Read out, they take about four times as much. */
const maxBytes = 8 * 2 ** 20;

/** What an answer takes beside its bytes. */
const overhead = 1_000;

/** The body of an answer. */
export class ResponseBody {
  readonly bytes: Buffer;
  /** It has been held against the contract: the same bytes have nothing new to tell. */
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
   * Undefined for what is not JSON. The same objects for all who read it from the second time on: nobody may put anything
   * into them but what follows from the answer itself, or holds for all callers.
   */
  get json(): unknown {
    if (this.#json !== undefined) return this.#json;
    const json = parsed(this.text);
    // Most answers are read once, and objects that are kept are dear to the garbage collector.
    this.#readings += 1;
    if (this.#readings > 1) this.#json = json;
    return json;
  }
}

/**
 * What the service answered last, by path. Whoever polls, and whoever works for the same company, is mostly answered
 * what was answered before: the same bytes are read out once, however many callers get them.
 */
export class ParsedBodyCache {
  readonly #latest = new LRUCache<string, ResponseBody>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 4,
    sizeCalculation: ({ bytes }) => bytes.length + overhead,
  });

  /** The content of an answer that has come. */
  of(path: string, bytes: Buffer): ResponseBody {
    const latest = this.#latest.get(path);
    if (latest?.bytes.equals(bytes)) return latest;
    const content = new ResponseBody(bytes);
    this.#latest.set(path, content);
    return content;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
