import { type ExecutionArgs, type FieldTree, randomHex, type ValidDocument } from '@gateway/base';

/** The span of a client, as its `traceparent` names it. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

const ids = '(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})';
/** A later version may have more parts at the end. */
const form = new RegExp(`^(?:00-${ids}|(?!00|ff)[0-9a-f]{2}-${ids}(?:-[!-~]{0,200})?)$`);

/** Undefined for a malformed `traceparent` (https://www.w3.org/TR/trace-context/). */
export function traceParentOf(text: unknown): TraceParent | undefined {
  const match = typeof text === 'string' ? form.exec(text) : null;
  if (!match) return undefined;
  const [traceId, spanId, flags] = match[1] === undefined ? match.slice(4) : match.slice(1);
  return { traceId, spanId, isSampled: (Number.parseInt(flags as string, 16) & 1) === 1 } as TraceParent;
}

/** Hexadecimal digits that count the spans of an operation. The first span is that of the operation. */
const countDigits = 6;
const countOfOperation = '0'.repeat(countDigits);

/** The trace context of one operation. Its spans are made when it has ended, if they are exported. */
export class OperationSpan {
  readonly traceId: string;
  readonly parent: TraceParent | undefined;
  readonly isSampled: boolean;
  /** The calls, as the graph has noted them. */
  trace: object | undefined = undefined;
  /** Undefined until the operation runs. */
  tree: FieldTree | undefined = undefined;
  document: ValidDocument | undefined = undefined;
  /** Unix milliseconds where performance.now() is 0, for all its spans. Undefined until the first of them is made. */
  origin: number | undefined = undefined;
  /** `00-`, the id of the trace, and the random digits that all span ids of the operation begin with. */
  readonly #head: string;
  readonly #flags: string;
  #calls = 0;

  constructor(traceId: string, parent: TraceParent | undefined, isSampled: boolean) {
    this.traceId = traceId;
    this.parent = parent;
    this.isSampled = isSampled;
    this.#head = `00-${traceId}-${randomHex(16 - countDigits)}`;
    this.#flags = isSampled ? '-01' : '-00';
  }

  get spanId(): string {
    return spanIdOf(this.traceparent);
  }

  get traceparent(): string {
    return this.#head + countOfOperation + this.#flags;
  }

  /** Call when the operation begins to run. */
  run({ tree, operation }: Pick<ExecutionArgs, 'tree' | 'operation'>): void {
    this.tree = tree;
    this.document = operation.document;
  }

  /** The `traceparent` of the next call, with a span id of its own. */
  next(): string {
    this.#calls += 1;
    return this.#head + (this.#calls + 16 ** countDigits).toString(16).slice(1) + this.#flags;
  }
}

/** The span that a `traceparent` of the gateway itself names. */
export function spanIdOf(traceparent: string): string {
  return traceparent.slice(36, 52);
}
