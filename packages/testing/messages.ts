import type { ServedGateway } from './served-gateway.ts';

/** From the tests to the process of the gateways, as JSON. */
export interface Message {
  id: number;
  gateway: number;
  method: 'start' | keyof ServedGateway;
  args: unknown[];
}

/** The way back. */
export type Answer = { id: number; value?: unknown } | { id: number; error: string };
