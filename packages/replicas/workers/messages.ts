import { jsonOrUndefined, maxPauseSeconds, maxSharedPauses } from '@gateway/base';
import { z } from 'zod';

/** SHA-256 in base64url. A digest stands for the key, which no other process learns. */
const keyDigest = z.string().length(43);
const seconds = z.number().positive().max(maxPauseSeconds);
/** A gateway of another release may have endpoints that this one lacks. */
const endpoint = z.string().max(100);
const isUnknown = z.boolean().optional();
const ms = z.number().min(0).max(600_000);
/** `from`: the address. `roundTripMs`: how far away the gateway is, for those that wait for it. */
const sender = { from: z.uuid(), roundTripMs: ms.optional() };

const message = z.discriminatedUnion('type', [
  /** A write of a key. With a number the sender waits. `isUnknown`: its outcome. */
  z.object({ type: z.literal('invalidate'), ...sender, number: z.int().optional(), keyDigest, endpoint, isUnknown }),
  /** The service no longer accepts a key. */
  z.object({ type: z.literal('refuse'), ...sender, keyDigest }),
  /** The answer to the message of this number: its receiver has invalidated. */
  z.object({ type: z.literal('acknowledge'), ...sender, number: z.int() }),
  /** The service has asked a caller to slow down. */
  z.object({ type: z.literal('pause'), ...sender, keyDigest, seconds }),
  /** A gateway begins to listen. `hasMissed`: the others have not got all that it had to send. */
  z.object({ type: z.literal('hello'), ...sender, hasMissed: z.boolean() }),
  /** The answer to `hello`, with what a new gateway need not learn by itself. */
  z.object({
    type: z.literal('greeting'),
    ...sender,
    pauses: z.array(z.tuple([keyDigest, seconds])).max(maxSharedPauses),
    costs: z.record(endpoint, z.object({ callMs: ms.positive(), rowMs: ms })),
    parallelism: z.number().min(1).max(128),
  }),
  /** A gateway ends. */
  z.object({ type: z.literal('bye'), ...sender }),
]);

/** A text that a gateway sends to others, parsed. */
export type Message = z.output<typeof message>;

/** Undefined for the text of another application, and for a message that only another release knows. */
export function parseMessage(text: string): Message | undefined {
  return message.safeParse(jsonOrUndefined(text)).data;
}
