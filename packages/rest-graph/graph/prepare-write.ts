import { fieldsRefused, type Json } from '@gateway/base';
import { conditionIn, type Endpoint, type EndpointName, isRunByBrowsers } from '@gateway/contract';
import type { UploadedFile } from '@gateway/upstream';
import { GraphQLError } from 'graphql';
import { appOf, type Explain, type Guard } from '../request/app.ts';
import { type RequestContext, withCodes } from '../request/context.ts';
import { fileType } from './file-type.ts';
import { requireUnchanged } from './if-unchanged.ts';
import { wireBody } from './other-forms.ts';
import { endpointOf, type Write, type WriteField } from './written-object.ts';

/** The file of a form, as the scalar `Upload` gives it. */
type Upload = Pick<UploadedFile, 'filename' | 'mimetype' | 'size'> & { createReadStream(): UploadedFile['stream'] };

/** Checks the arguments of a write, and prepares to send it. A push does so before each of its writes. */
export async function prepareWrite(field: WriteField, context: RequestContext): Promise<Write> {
  const { args, info } = field;
  const app = appOf(info.schema);
  const name: EndpointName = info.fieldName;
  const endpoint = endpointOf(field);
  const id = args[endpoint.idArgument ?? 'id'] as string | undefined;
  // A POST with an id makes an object below that one.
  const isUpdate = id !== undefined && endpoint.method !== 'POST';
  const updated = isUpdate ? { reference: { type: endpoint.kind, id } } : {};
  const file = endpoint.file === undefined ? undefined : await (args[endpoint.file] as Promise<Upload>);
  const input = (args.input ?? {}) as Json;
  const guard = app.guardOf?.(name) as Guard<object> | undefined;
  if (guard) await refuseMistakes(guard, field, file ?? input, context);
  const write = file
    ? await fileWrite(field, endpoint, { id, file, updated }, context)
    : await bodyWrite(field, endpoint, { id, input, updated }, context);
  const explain = app.explain?.[name] as Explain<Json> | undefined;
  if (!explain) return write;
  return () =>
    write().catch(async (error: unknown) => {
      throw (error instanceof GraphQLError && (await explain(error, args, context))) || error;
    });
}

/** Names the object that the write updates, in an error of the service. */
type Updated = NonNullable<Parameters<typeof withCodes>[1]>;

/** Prepares to send the fields of `input`. Validation errors of the service name their place in it. */
async function bodyWrite(
  field: WriteField,
  endpoint: Endpoint,
  { id, input, updated }: { id: string | undefined; input: Json; updated: Updated },
  context: RequestContext,
): Promise<Write> {
  const { info, args, key } = field;
  const { body, rename, explain } = wireBody(endpoint, input, context.loaders.contract.wire);
  const pathPrefix = args.input ? ['input'] : [];
  const details = { pathPrefix, rename, ...updated };
  // Under an Idempotency-Key, an earlier answer needs no check: the write itself has changed the object.
  const check = conditionIn(endpoint, args) === undefined ? undefined : () => requireUnchanged(field, context);
  const write = await withCodes(async () => context.writes.prepare(info.fieldName, { field: key, id, check }), details);
  return () => withCodes(() => write({ body }), details).catch((error) => Promise.reject(explain(error)));
}

async function fileWrite(
  { info, key }: WriteField,
  { file: argument = '', fileTypes }: Endpoint,
  { id, file, updated }: { id: string | undefined; file: Upload; updated: Updated },
  context: RequestContext,
): Promise<Write> {
  const { limits } = context.service;
  const { filename, size, createReadStream } = file;
  const write = await withCodes(async () => context.writes.prepare(info.fieldName, { field: key, id }), updated);
  return async () => {
    const stream = createReadStream();
    const found = await fileType(stream, argument, limits.fileTypes ?? fileTypes);
    const mimetype = found ?? (isRunByBrowsers(file.mimetype) ? 'application/octet-stream' : file.mimetype);
    return withCodes(() => write({ file: { filename, mimetype, size, stream } }), updated);
  };
}

/** @throws BAD_USER_INPUT for input that a real deployment of the service fails on, or does not store. */
async function refuseMistakes(
  guard: Guard<object>,
  { info, key }: WriteField,
  input: object,
  context: RequestContext,
): Promise<void> {
  const { reader, writes, service } = context;
  // Without the dialect the write is not sent either. Its record may answer it nevertheless.
  const dialect = await reader.dialect(() => [info.fieldName]).catch(() => undefined);
  // The gateway may have known more when it sent the write.
  if (!dialect?.breaksOnInput || (await writes.isRecorded(key))) return;
  const mistakes = await guard(input, context);
  if (mistakes.length === 0) return;
  const { advice } = service.upstream.dialect;
  const summary = 'The service is known to fail on this, or not to store it';
  throw fieldsRefused(`${advice ? `${advice} ` : ''}${summary}`, mistakes);
}
