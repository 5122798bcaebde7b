import { digestOf } from '@gateway/base';
import type { Logger } from 'pino';
import type { Redis } from '../redis/connection.ts';
import type { Carrier } from './carrier.ts';

/** A silent Redis is found out before the wait for other gateways ends. The next step of the write then waits no more. */
const marginMs = 2;

/** Carries messages by publish and subscribe of Redis. Gateways over another service may use the same Redis. */
export function redisCarrier(redis: Redis, serviceName: string, logger: Logger): Carrier {
  const channel = `graphql-gateway:broadcast:${digestOf(serviceName)}`;
  const channelOf = (id: string) => `${channel}:${id}`;
  let isListening = false;
  return {
    name: 'redis',
    get timeoutMs() {
      return redis.timeoutMs + redis.roundTripMs + marginMs;
    },
    get roundTripMs() {
      return redis.roundTripMs;
    },
    get isUp() {
      return isListening && redis.isAvailable;
    },
    async listen(id, { message, up, down }) {
      async function subscribe(): Promise<void> {
        try {
          await redis.client.subscribe([channel, channelOf(id)], message);
          isListening = true;
          up();
        } catch (err) {
          const reason =
            'The user of REDIS_URL cannot subscribe to graphql-gateway:*, so that no gateway hears of others';
          logger.error({ err }, reason);
        }
      }
      // The client subscribes again by itself.
      redis.on('up', () => (isListening ? up() : subscribe()));
      redis.on('down', down);
      await subscribe();
    },
    async send(text, to) {
      if (to !== undefined) return redis.inTime(redis.client.publish(channelOf(to), text));
      // Redis counts this gateway, which listens too.
      return (await redis.inTime(redis.client.publish(channel, text))) - 1;
    },
  };
}
