import { codedError, type FieldError, type Json } from '@gateway/base';
import { conditionIn, type Endpoint } from '@gateway/contract';
import { DateTime, isRow, type Row } from '@gateway/upstream';
import { GraphQLError } from 'graphql';
import { type RequestContext, withCodes } from '../request/context.ts';
import { inputDifferences } from './stored-input.ts';
import type { WriteField } from './written-object.ts';

/** The object of a write is not as its client has read it. Nothing was sent. */
export class ChangedError extends GraphQLError {
  /** The object as it is now. */
  readonly object: Row;

  constructor(kind: string, object: Row, fields: FieldError[]) {
    const message = `The ${kind} has changed since the client read it, so this write was not sent. The data show it as it is now.`;
    const reference = { type: kind, id: object.id };
    super(message, { extensions: codedError('CONFLICT', message, { reference, fields }).extensions });
    this.object = object;
  }
}

/** The arguments of a write after others of the same client. Their changes of the object are no reason for a conflict. */
export function afterOwnWrites(endpoint: Endpoint, args: Json, own: readonly { args: Json; answer: Row }[]): Json {
  const { argument, property } = endpoint.ifUnchanged ?? {};
  const condition = conditionIn(endpoint, args);
  const last = own.at(-1);
  if (argument === undefined || condition === undefined || !last) return args;
  if (property === undefined) {
    const changed = own.flatMap((write) => Object.entries(write.args.input as Json));
    const named = changed.filter(([name]) => name in (condition as Json));
    return { ...args, [argument]: { ...(condition as Json), ...Object.fromEntries(named) } };
  }
  const isKnown = own.some((write) => String(conditionIn(endpoint, write.args)) === String(condition));
  const left = DateTime.parse(last.answer[property]);
  return isKnown && left ? { ...args, [argument]: left } : args;
}

/**
 * Reads the object of a write, and compares it with what its client has read.
 * @throws ChangedError where it differs.
 * @throws UPSTREAM_INVALID_RESPONSE where the service does not show the time.
 */
export async function requireUnchanged({ info, args, key }: WriteField, context: RequestContext): Promise<void> {
  const { contract } = context.loaders;
  const { kind, ifUnchanged } = contract.endpoint(info.fieldName);
  const id = args.id as string;
  const origin = { reason: 'by id', fields: () => [key] } as const;
  const read = () => context.reader.read(contract.getEndpoint(kind), { id, isFresh: true }, origin);
  const object = await withCodes(read, { reference: { type: kind, id } });
  if (!isRow(object)) throw codedError('UPSTREAM_INVALID_RESPONSE', `The service answered a ${kind} without an id.`);
  const { argument = '', property } = ifUnchanged ?? {};
  const fields = property
    ? timeDifferences(args[argument] as DateTime, object[property], { argument, property })
    : inputDifferences(info, { id, input: args[argument] }, object).map(({ path, message }) => ({
        path: [argument, ...path.slice(1)],
        message,
      }));
  if (fields.length > 0) throw new ChangedError(kind, object, fields);
}

function timeDifferences(
  known: DateTime,
  shown: unknown,
  { argument, property }: { argument: string; property: string },
): FieldError[] {
  const now = DateTime.parse(shown);
  if (!now) {
    const message = `The service does not show \`${property}\`, so the gateway cannot compare it: this write was not sent.`;
    throw codedError('UPSTREAM_INVALID_RESPONSE', message);
  }
  if (isSameTime(known, now)) return [];
  return [{ path: [argument], message: `The object is of ${now.in('iso')} now.` }];
}

/** Compares as many digits as both have: a client may keep milliseconds of the microseconds that the service shows. */
function isSameTime(one: DateTime, other: DateTime): boolean {
  const [[seconds, digits = ''], [otherSeconds, otherDigits = '']] = [partsOf(one), partsOf(other)];
  const shared = Math.min(digits.length, otherDigits.length);
  return seconds === otherSeconds && digits.slice(0, shared) === otherDigits.slice(0, shared);
}

function partsOf(time: DateTime): string[] {
  return time.in('unix').split('.');
}
