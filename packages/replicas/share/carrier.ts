/** Carries messages between the gateways of one service. The messages of one sender arrive in order. */
export interface Carrier {
  readonly name: 'pipe' | 'redis';
  /** False while messages do not get through. */
  readonly isUp: boolean;
  /** The longest wait for other gateways, beyond their own way to the place that carries messages. */
  readonly timeoutMs: number;
  /** Milliseconds that a message takes to that place and back, as measured; absent in one machine. */
  readonly roundTripMs?: number;
  /** Begins to give messages. `id`: the address of this gateway. */
  listen(id: string, on: CarrierEvents): Promise<void>;
  /** Sends to all other gateways, or to one. Resolves with how many of them get the text; they may be slow to read it. */
  send(text: string, to?: string): Promise<number>;
}

export interface CarrierEvents {
  message(text: string): void;
  /** Messages get through from now on. Earlier ones may be lost. */
  up(): void;
  /** Messages may be lost from now on. */
  down(): void;
}
