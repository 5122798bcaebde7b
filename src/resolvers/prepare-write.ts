import type { EndpointName } from '../contract/endpoint.ts';
import type { Kind } from '../contract/kind.ts';
import { type FieldError, fieldsRefused } from '../errors/codes.ts';
import type { Json } from '../lib/json.ts';
import type { RequestContext } from '../request/context.ts';
import { type Guard, guards } from './guards.ts';
import { wireBody } from './other-forms.ts';
import { storageMistakes } from './storable.ts';
import { withCodes } from './with-codes.ts';

/** Sends a write whose input is right. */
export type Write = () => Promise<Json>;

/** Checks the arguments of a write, and prepares to send it. */
export type PrepareWrite<Arguments> = (args: Arguments, context: RequestContext) => Promise<Write>;

/** A write with a body. Over a service with the weaknesses of real deployments, a guard checks the input first. */
export function guardedWrite(endpoint: EndpointName, kind: Kind): PrepareWrite<{ id?: string; input: object }> {
  return async ({ id, input }, context) => {
    const guard = guards[endpoint] as Guard<object> | undefined;
    await refuseMistakes(context, endpoint, async () => [
      ...storageMistakes(input),
      ...((await guard?.(input, context)) ?? []),
    ]);
    return bodyWrite(context, endpoint, input, kind, id);
  };
}

/** @throws BAD_USER_INPUT for input that a real deployment of the service fails on, or does not store. */
export async function refuseMistakes(
  { reader, writes, service }: RequestContext,
  endpoint: EndpointName,
  find: () => FieldError[] | Promise<FieldError[]>,
): Promise<void> {
  // Without the dialect the write is not sent either. Its record may answer it nevertheless.
  const dialect = await reader.dialect(() => [endpoint]).catch(() => undefined);
  // The gateway may have known more when it sent the write, such as the options of a premium.
  if (!dialect?.breaksOnInput || (await writes.isRecorded())) return;
  const mistakes = await find();
  if (mistakes.length === 0) return;
  const { advice } = service.upstream.dialect;
  const summary = 'The service is known to fail on this, or not to store it';
  throw fieldsRefused(`${advice ? `${advice} ` : ''}${summary}`, mistakes);
}

/** Prepares to send the fields of `input`. Validation errors of the service name their place in it. */
async function bodyWrite(
  { writes, service }: RequestContext,
  endpoint: EndpointName,
  input: object,
  kind: Kind,
  id: string | undefined,
): Promise<Write> {
  const { body, rename, explain } = wireBody(service.upstream.contract.endpoint(endpoint), input);
  const details = { pathPrefix: ['input'], rename, ...(id !== undefined && { reference: { type: kind, id } }) };
  const subject = id === undefined ? {} : { id };
  const write = await withCodes(async () => writes.prepare(endpoint, subject), details);
  return () => withCodes(() => write({ body }), details).catch((error) => Promise.reject(explain(error)));
}
