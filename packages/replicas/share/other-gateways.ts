import { randomUUID } from 'node:crypto';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { counter } from '@gateway/base';
import type { SharedState } from '@gateway/graphql-serve';
import { type Message, parseMessage } from '../workers/messages.ts';
import { AcknowledgementWait } from './acknowledgement-wait.ts';
import type { Carrier } from './carrier.ts';

/** Another application in the same Redis could make up gateways. */
const maxKnown = 1_000;

/** A message without its sender. */
type Content = Message extends infer Each ? (Each extends Message ? Omit<Each, 'from' | 'roundTripMs'> : never) : never;

/**
 * The other gateways of the service, and the other workers of this one. They serve the same callers from caches of their own.
 * A write is answered when all that are known have invalidated what they had read, or after the carrier's timeout.
 */
export class OtherGateways {
  readonly broadcasts = counter('broadcasts_total', 'Writes that other gateways and workers had to know, by result.', [
    'result',
  ]);
  /** Absent in a gateway that is alone. */
  readonly carrier: Carrier | undefined;
  /**
   * Resolves when the messages are read that came before a request. After a pause of the process, Linux may hand it the request
   * first. The writers of these messages may have waited for it in vain.
   */
  readonly untilRead: (() => Promise<void>) | undefined;
  readonly #id = randomUUID();
  /** Those that listen, and have answered in time: their addresses, and their milliseconds to the carrier and back. */
  readonly #known = new Map<string, number>();
  readonly #waits = new Map<number, AcknowledgementWait>();
  /** Keys whose refusal is on its way. */
  readonly #refusals = new Set<string>();
  #count = 0;
  #hasMissed = false;
  #isClosed = false;

  constructor(carrier: Carrier | undefined) {
    this.carrier = carrier;
    this.untilRead = carrier && (() => setImmediate());
    for (const result of ['acknowledged', 'late', 'unavailable']) this.broadcasts.inc({ result }, 0);
  }

  get known(): number {
    return this.#known.size;
  }

  /** Call this before the gateway serves. */
  async listen(state: SharedState): Promise<void> {
    const invalidateAll = () => state.invalidateAll();
    const up = () => {
      // Messages of other gateways may have been lost.
      invalidateAll();
      const hasMissed = this.#hasMissed;
      this.#hasMissed = false;
      void this.#send({ type: 'hello', hasMissed });
    };
    await this.carrier?.listen(this.#id, {
      message: (text) => this.#receive(text, state),
      up,
      down: invalidateAll,
    });
  }

  announce(keyDigest: string, endpoint: string): void {
    if (this.#known.size > 0) void this.#send({ type: 'invalidate', keyDigest, endpoint });
  }

  refuse(keyDigest: string): void {
    // The service may refuse the key to hundreds of calls of one operation: one message at a time is enough.
    if (!this.carrier || this.#refusals.has(keyDigest)) return;
    this.#refusals.add(keyDigest);
    void this.#send({ type: 'refuse', keyDigest }).finally(() => this.#refusals.delete(keyDigest));
  }

  broadcast(keyDigest: string, endpoint: string, isUnknown = false): Promise<void> | undefined {
    if (!this.carrier) return undefined;
    this.#count += 1;
    const number = this.#count;
    const maxMs = this.carrier.timeoutMs + Math.max(0, ...this.#known.values());
    const wait = new AcknowledgementWait(this.#known.keys(), maxMs, () => {
      this.#waits.delete(number);
      for (const id of wait.silent) this.#known.delete(id);
    });
    this.#waits.set(number, wait);
    void this.#send({ type: 'invalidate', number, keyDigest, endpoint, isUnknown }).then((others) =>
      wait.expect(others),
    );
    const counted = wait.result.then((result) => this.broadcasts.inc({ result }));
    return this.#known.size === 0 ? undefined : counted;
  }

  pause(keyDigest: string, seconds: number): void {
    if (this.carrier) void this.#send({ type: 'pause', keyDigest, seconds });
  }

  /** The others wait for this gateway no longer. */
  async close(): Promise<void> {
    // An answer would make the others wait for this gateway again.
    this.#isClosed = true;
    if (!this.carrier?.isUp) return;
    const timeout = pause(this.carrier.timeoutMs, undefined, { ref: false });
    await Promise.race([this.#send({ type: 'bye' }), timeout]);
  }

  /** Resolves with the number of other gateways that get the message; undefined where it does not get through. */
  async #send(content: Content, to?: string): Promise<number | undefined> {
    try {
      if (this.carrier?.isUp) return await this.carrier.send(this.#textOf(content), to);
    } catch {
      // The carrier reports its failures, and says when it is up again.
    }
    this.#hasMissed = true;
    return undefined;
  }

  #textOf(content: Content): string {
    return JSON.stringify({ ...content, from: this.#id, roundTripMs: this.carrier?.roundTripMs });
  }

  #receive(text: string, state: SharedState): void {
    const message = parseMessage(text);
    if (!message || message.from === this.#id || this.#isClosed) return;
    const { from, roundTripMs = 0 } = message;
    if (message.type === 'bye') this.#known.delete(from);
    else if (this.#known.size < maxKnown || this.#known.has(from)) this.#known.set(from, roundTripMs);
    switch (message.type) {
      case 'invalidate': {
        const { number, keyDigest, endpoint, isUnknown } = message;
        state.invalidate(keyDigest, endpoint, isUnknown);
        if (number !== undefined) void this.#send({ type: 'acknowledge', number }, from);
        break;
      }
      case 'refuse':
        state.refuse(message.keyDigest);
        break;
      case 'acknowledge':
        this.#waits.get(message.number)?.acknowledge(from);
        break;
      case 'pause':
        state.pause(message.keyDigest, message.seconds);
        break;
      case 'hello':
        // The sender has invalidated everything.
        for (const wait of this.#waits.values()) wait.acknowledge(from);
        if (message.hasMissed) state.invalidateAll();
        void this.#send({ type: 'greeting', ...state.learnt() }, from);
        break;
      case 'greeting':
        state.adopt(message);
    }
  }
}
