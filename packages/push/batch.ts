import { codedError, type FieldError, fieldsRefused, isObject, maxFieldErrors, parseJson } from '@gateway/base';
import { placeOfMistake } from '@gateway/graphql-serve';
import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
} from 'graphql';
import { toWriteError } from './outcome.ts';
import { maxWrites, planPush } from './plan.ts';
import type { Line } from './push-lines.ts';
import type { WriteInput, WriteStatus } from './types.ts';

export type WriteError = ReturnType<typeof toWriteError>;

/** The outcome of one line, as the answer has it. */
export interface LineResult {
  line: number;
  key?: string;
  ref?: string;
  status: WriteStatus;
  type?: string;
  id?: string;
  error?: Partial<WriteError>;
}

/** A line that can be sent. */
export interface LineWrite {
  line: number;
  /** As the client has written it: variables are coerced once more. */
  input: WriteInput;
}

/** Lines that go to the service as one push. A line that names earlier ones goes with them. */
export class Batch {
  readonly writes: LineWrite[] = [];
  /** Lines that cannot be sent. */
  readonly refused: LineResult[] = [];
  readonly #schema: GraphQLSchema;
  readonly #rows: number;
  readonly #refs = new Set<string>();
  readonly #keys = new Set<string>();

  constructor(schema: GraphQLSchema, rows: number) {
    this.#schema = schema;
    this.#rows = rows;
  }

  get lines(): number {
    return this.writes.length + this.refused.length;
  }

  /** False where the line belongs to the next batch. */
  add({ number: line, text }: Line): boolean {
    if (this.writes.length >= maxWrites || this.lines >= 2 * maxWrites) return false;
    let value: unknown;
    try {
      if (text === undefined) throw notAWrite('The line is not UTF-8.');
      value = valueIn(text);
      this.#requireWrite(value);
    } catch (error) {
      this.#refuse(line, value, error as GraphQLError);
      return true;
    }
    const input = value as WriteInput;
    const needsOthers = textsIn(input.write).some((each) => each.startsWith('$') && this.#refs.has(each.slice(1)));
    if (this.writes.length >= this.#rows && !needsOthers) return false;
    // Under an earlier key of another push, the record decides.
    if (this.#keys.has(input.key)) return false;
    this.#keys.add(input.key);
    if (input.ref) this.#refs.add(input.ref);
    this.writes.push({ line, input });
    return true;
  }

  /** Takes out the writes with a wrong key or ref, which would refuse the whole push. */
  requirePlannable(): void {
    while (this.writes.length > 0) {
      try {
        planPush(
          this.writes.map(({ input }) => input),
          this.#schema,
        );
        return;
      } catch (error) {
        const fields = ((error as GraphQLError).extensions?.fields ?? []) as { path: unknown[]; message: string }[];
        const wrong = new Map(fields.map((field) => [Number(field.path[1]), field]));
        if (wrong.size === 0) throw error;
        for (const [index, { path, message }] of [...wrong].sort(([a], [b]) => b - a)) {
          const [{ line, input }] = this.writes.splice(index, 1) as [LineWrite];
          this.#refuse(line, input, notAWrite(this.inLines(message), path.slice(2)));
        }
      }
    }
  }

  /** The message of a push, in which lines stand for the places of writes. */
  inLines(message: string): string {
    return message.replaceAll(/(?<=: |Needs )writes\.(\d+)/g, (_, index) => `line ${this.writes[index]?.line}`);
  }

  #requireWrite(value: unknown): void {
    if (!isObject(value)) throw notAWrite('The line is not a JSON object.');
    const type = this.#schema.getType('WriteInput') as GraphQLInputObjectType;
    const summary = 'The line is not a write';
    const fields: FieldError[] = [];
    coerceInputValue(value, type, (path, _value, { message }) => {
      fields.push({ path: [...placeOfMistake(path, message)], message });
      // To find suggestions for thousands of names would hold up other requests.
      if (fields.length > maxFieldErrors) throw fieldsRefused(summary, fields);
    });
    const [first, second] = fields;
    if (second) throw fieldsRefused(summary, fields);
    if (first) throw notAWrite(first.message, first.path);
  }

  #refuse(line: number, value: unknown, error: GraphQLError): void {
    const named = isObject(value) ? Object.entries(value) : [];
    const names = named.filter(
      ([name, text]) => (name === 'key' || name === 'ref') && text && typeof text === 'string',
    );
    this.refused.push({ line, ...Object.fromEntries(names), status: 'REFUSED', error: shown(error) });
  }
}

function valueIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw notAWrite(`The line is not JSON: ${(error as Error).message.replace(' (line 1 column', ' (column')}`);
  }
}

function notAWrite(message: string, path: readonly unknown[] = []): GraphQLError {
  const at = path as (string | number)[];
  return codedError('BAD_USER_INPUT', message, at.length > 0 ? { fields: [{ path: at, message }] } : {});
}

/** Without the nulls of GraphQL. */
export function shown(error: GraphQLError | Partial<WriteError>): Partial<WriteError> {
  const all = error instanceof GraphQLError ? toWriteError(error) : error;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The document that makes a batch, with the id of each object. */
export function pushDocument(schema: GraphQLSchema): string {
  const objects = schema.getPossibleTypes(schema.getType('WrittenObject') as GraphQLUnionType);
  const ids = objects.filter((type) => type.getFields().id).map(({ name }) => `... on ${name} { id }`);
  return `mutation PushLines($writes: [WriteInput!]!) {
    push(writes: $writes) {
      status
      object { __typename ${ids.join(' ')} }
      error { code message retryable retry_after upstream_status fields { path message } }
    }
  }`;
}
