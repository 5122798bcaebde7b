import { overloaded } from '../errors/refusals.ts';

/** An upload whose file has begun. */
export interface ArrivingFile {
  /** The client's Authorization. */
  caller: string;
  /** How far the client is behind the least rate. */
  readonly behindMs: number;
  /** Ends the upload with OVERLOADED. False where the file has arrived: the service may have stored it. */
  giveWay(): boolean;
}

/** A client that is further behind gives its place to the next upload. */
const patienceMs = 500;

/**
 * Limits the files that arrive at a time. When all places are taken, the next file takes that of the slowest client. Else a
 * caller with more than a quarter of the places gives one to another caller.
 */
export class UploadPlaces {
  readonly #max: number;
  /** In the order of their beginning. */
  readonly #taken = new Set<ArrivingFile>();

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws OVERLOADED (503) where no upload gives way. */
  enter(file: ArrivingFile): void {
    if (this.#taken.size >= this.#max) {
      const givesWay = this.#rivals(file.caller).find((rival) => rival.giveWay());
      if (!givesWay) throw overloaded();
      this.#taken.delete(givesWay);
    }
    this.#taken.add(file);
  }

  leave(file: ArrivingFile): void {
    this.#taken.delete(file);
  }

  /** The uploads that may give way to one of the caller, in the order in which they are asked. */
  #rivals(caller: string): ArrivingFile[] {
    const taken = [...this.#taken];
    const places = Map.groupBy(taken, (file) => file.caller);
    const isOverQuarter = ({ caller }: Pick<ArrivingFile, 'caller'>, more = 0) =>
      (places.get(caller)?.length ?? 0) + more > Math.ceil(this.#max / 4);
    const slowest = taken
      .filter(({ behindMs }) => behindMs > patienceMs)
      .sort((one, other) => other.behindMs - one.behindMs);
    if (isOverQuarter({ caller }, 1)) return slowest.filter((file) => file.caller === caller);
    // The youngest has sent the least for nothing.
    return [...slowest, ...taken.filter((file) => isOverQuarter(file)).reverse()];
  }
}
