import { setImmediate } from 'node:timers/promises';
import type { RequestContext } from '../request/context.ts';
import type { SchemaPart } from './schema.ts';

/** Time between a change and the moment at which other callers of the service can see it. */
const marginMs = 5_000;

export const serverTime: SchemaPart = {
  resolvers: { Query: { serverTime: { resolve: timeOfService, extensions: { readsFresh: true } } } },
};

async function timeOfService(_parent: unknown, _args: unknown, context: RequestContext): Promise<string> {
  const { clock } = context.service.upstream;
  if (!clock.isKnown) {
    // The first answer to the fields beside it shows the service's clock.
    await setImmediate();
    await context.reader.firstEnd();
  }
  return new Date(clock.at(context.startedAt) - marginMs).toISOString();
}
