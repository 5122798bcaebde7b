import {
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';
import { withoutStack } from '../without-stack.ts';
import { AnswerLimit } from './answer-limit.ts';
import { compile, type RootField } from './compile.ts';
import type { Field, Fragments } from './field-tree.ts';
import type { ExecutionArgs } from './operation.ts';

/**
 * Gives the answer that graphql-js gives. Fields of the root may be promises, and overlap unless the operation writes.
 * Their values are complete, so the executor reads everything below synchronously. It pauses in long lists at the top, and
 * other requests have their turn.
 *
 * A resolver of a mutation checks its input, and returns its write as a function. The executor starts the first write after
 * the last check. If a check fails, no write starts, and all fields are null.
 */
export async function execute(args: ExecutionArgs): Promise<ExecutionResult> {
  const run = new Run(args);
  let data: Data;
  try {
    const { fields, newObject } = compile(args.tree);
    data = newObject();
    // Keys keep the order of the document, whichever field is resolved first.
    for (const { field } of fields) data[field.key] = undefined;
    if (args.operation.definition.operation === 'mutation') {
      for (const root of fields) await settle(root, run, data);
      const writes = fields.filter(({ field }) => typeof data[field.key] === 'function');
      const isRefused = run.errors.length > 0;
      if (isRefused && writes.some(({ isNonNull }) => isNonNull)) return { data: null, errors: run.errors };
      for (const root of writes)
        await settle(root, run, data, isRefused ? () => null : (data[root.field.key] as Resolve));
    } else if (fields.length === 1) await settle(fields[0] as RootField, run, data);
    else await Promise.all(fields.map((root) => settle(root, run, data)));
  } catch (error) {
    run.errors.push(error as GraphQLError);
    return { data: null, errors: [...run.errors] };
  }
  return run.errors.length > 0 ? { data, errors: run.errors } : { data };
}

type Data = Record<string, unknown>;
type Resolve = RootField['resolve'];

async function settle(
  { field, isNonNull, complete, resolve: ofField }: RootField,
  run: Run,
  data: Data,
  resolve: Resolve = ofField,
): Promise<void> {
  try {
    const value = await resolve(run);
    if (typeof value === 'function') {
      data[field.key] = value;
      return;
    }
    run.moveTo([field.key]);
    data[field.key] = await complete(value, run);
  } catch (error) {
    run.moveTo([field.key]);
    data[field.key] = run.fail(error, field.nodes, isNonNull);
  }
}

type Path = GraphQLResolveInfo['path'];

/** A class, because V8 makes objects of a literal with an accessor slowly. */
class FieldInfo implements GraphQLResolveInfo {
  readonly field: Field;
  readonly fieldName: string;
  readonly fieldNodes: readonly FieldNode[];
  readonly returnType: GraphQLOutputType;
  readonly parentType: GraphQLObjectType;
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly rootValue = undefined;
  readonly operation: OperationDefinitionNode;
  readonly variableValues: Record<string, unknown>;
  readonly #place: readonly (string | number)[];

  constructor(field: Field, { operation, variableValues }: ExecutionArgs, place: readonly (string | number)[]) {
    this.field = field;
    this.fieldName = field.name;
    this.fieldNodes = field.nodes;
    this.returnType = field.definition.type;
    this.parentType = field.parentType;
    this.schema = operation.document.schema;
    this.fragments = operation.document.fragments;
    this.operation = operation.definition;
    this.variableValues = variableValues;
    this.#place = place;
  }

  get path(): Path {
    return pathOf(this.#place);
  }
}

/** The place in the operation at which a resolver runs. */
export function fieldOf(info: GraphQLResolveInfo): Field {
  return (info as FieldInfo).field;
}

/** One execution of an operation. */
export class Run {
  readonly args: ExecutionArgs;
  readonly contextValue: unknown;
  readonly answer: AnswerLimit;
  readonly errors: GraphQLError[] = [];
  /** The current place in the answer. Fields below the root run one after the other, so one path serves all of them. */
  readonly path: (string | number)[] = [];
  readonly #infos: (FieldInfo | undefined)[] = [];
  #isRefused = false;

  constructor(args: ExecutionArgs) {
    this.args = args;
    this.contextValue = args.contextValue;
    this.answer = args.answer ?? new AnswerLimit();
  }

  /** The `info` of a field of the root, which a resolver may read while other fields run. */
  rootInfo(field: Field): GraphQLResolveInfo {
    return new FieldInfo(field, this.args, [field.key]);
  }

  /** The `info` of a field below the root. One object serves all rows, and its path is that of the current row. */
  info(field: Field): GraphQLResolveInfo {
    let info = this.#infos[field.slot];
    if (!info) {
      info = new FieldInfo(field, this.args, this.path);
      this.#infos[field.slot] = info;
    }
    return info;
  }

  /** Returns to a place. Another field of the root may have moved the path meanwhile. */
  moveTo(place: readonly (string | number)[]): void {
    this.path.length = 0;
    this.path.push(...place);
  }

  /** Notes an error at the current place, whose value becomes null. Throws the error where null is not allowed. */
  fail(error: unknown, nodes: readonly FieldNode[], isNonNull: boolean): null {
    const { answer } = this;
    const isRefusal = error !== undefined && error === answer.refusal;
    // An unforeseen error keeps its own stack.
    const located = () => withoutStack(() => locatedError(error, nodes, [...this.path]));
    if (isNonNull) throw isRefusal ? error : located();
    if (isRefusal || !answer.addError()) this.#noteRefusal(nodes);
    else this.errors.push(located());
    return null;
  }

  /** One error stands for all that does not fit. */
  #noteRefusal(nodes: readonly FieldNode[]): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.errors.push(locatedError(this.answer.refusal, nodes, [...this.path]));
  }
}

function pathOf(keys: readonly (string | number)[]): Path {
  return keys.reduce<Path | undefined>((prev, key) => ({ prev, key, typename: undefined }), undefined) as Path;
}
