import type { EndpointName } from '../contract/endpoint.ts';
import type { Kind } from '../contract/kind.ts';
import { guardedWrite, type PrepareWrite } from './prepare-write.ts';
import { updateUser } from './users.ts';

/** Writes that do more than send their input. */
const exceptions: { [name in EndpointName]?: PrepareWrite<never> } = { updateUser };

/** The checks of a field of Mutation before its write. A push makes them before each of its writes. */
export function prepareOf(endpoint: EndpointName, kind: Kind): PrepareWrite<{ id?: string; input: object }> {
  return (exceptions[endpoint] as PrepareWrite<object> | undefined) ?? guardedWrite(endpoint, kind);
}
