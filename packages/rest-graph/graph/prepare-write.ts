import { fieldsRefused, type Json } from '@gateway/base';
import { conditionIn, type Endpoint, type EndpointName } from '@gateway/contract';
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
  const { args, info, key } = field;
  const app = appOf(info.schema);
  const name: EndpointName = info.fieldName;
  const endpoint = endpointOf(field);
  const id = args[endpoint.idArgument ?? 'id'] as string | undefined;
  const file = endpoint.file === undefined ? undefined : await (args[endpoint.file] as Promise<Upload>);
  const input = (args.input ?? {}) as Json;
  const guard = app.guardOf?.(name) as Guard<object> | undefined;
  if (guard) await refuseMistakes(guard, field, file ?? input, context);
  const { body, rename, explain } = wireBody(endpoint, input, context.loaders.contract.wire);
  // A POST with an id makes an object below that one.
  const isUpdate = id !== undefined && endpoint.method !== 'POST';
  const updated = isUpdate && { reference: { type: endpoint.kind, id } };
  // Validation errors of the service name their place in the input.
  const details = { pathPrefix: args.input ? ['input'] : [], rename, ...updated };
  // Under an Idempotency-Key, an earlier answer needs no check: the write itself has changed the object.
  const check = conditionIn(endpoint, args) === undefined ? undefined : () => requireUnchanged(field, context);
  const write = await withCodes(async () => context.writes.prepare(name, { field: key, id, check }), details);
  const explainByApp = app.explain?.[name] as Explain<Json> | undefined;
  return async () => {
    const content = file ? { file: await typed(file, endpoint, context) } : { body };
    return withCodes(() => write(content), details).catch(async (reason: unknown) => {
      const error = explain(reason);
      throw (error instanceof GraphQLError && (await explainByApp?.(error, args, context))) || error;
    });
  };
}

/** The file with the type that its first bytes show. */
async function typed(
  { filename, mimetype, size, createReadStream }: Upload,
  { file: argument = '', fileTypes }: Endpoint,
  { service: { limits } }: RequestContext,
): Promise<UploadedFile> {
  const stream = createReadStream();
  const type = await fileType(stream, argument, limits.fileTypes ?? fileTypes, mimetype);
  return { filename, mimetype: type, size, stream };
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
