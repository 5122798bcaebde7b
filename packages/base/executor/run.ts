import {
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
import type { Field, FieldTree, Fragments } from './field-tree.ts';
import type { Operation } from './operation.ts';

/** The variables of one request, as its client sends them. */
export type Variables = Readonly<Record<string, unknown>>;

/** One run of an operation, as graphql-js names its parts. */
export interface ExecutionArgs {
  operation: Operation;
  tree: FieldTree;
  /** As the client sends them. */
  variables?: Variables | undefined;
  /** Coerced to their types. */
  variableValues: Record<string, unknown>;
  contextValue: unknown;
  /** Without one, an answer may have any size. */
  answer?: AnswerLimit;
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
