import { type FieldNode, type GraphQLError, type GraphQLResolveInfo, locatedError } from 'graphql';
import { AnswerLimit } from './answer-limit.ts';
import type { Field } from './field-tree.ts';
import type { ExecutionArgs } from './operation.ts';

type Path = GraphQLResolveInfo['path'];

interface FieldInfo extends GraphQLResolveInfo {
  readonly field: Field;
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
    return this.#newInfo(field, [field.key]);
  }

  /** The `info` of a field below the root. One object serves all rows, and its path is that of the current row. */
  info(field: Field): GraphQLResolveInfo {
    let info = this.#infos[field.slot];
    if (!info) {
      info = this.#newInfo(field, this.path);
      this.#infos[field.slot] = info;
    }
    return info;
  }

  #newInfo(field: Field, path: readonly (string | number)[]): FieldInfo {
    const { operation, variableValues } = this.args;
    return {
      field,
      fieldName: field.name,
      fieldNodes: field.nodes,
      returnType: field.definition.type,
      parentType: field.parentType,
      schema: operation.document.schema,
      fragments: operation.document.fragments,
      operation: operation.definition,
      variableValues,
      rootValue: undefined,
      get path() {
        return pathOf(path);
      },
    };
  }

  /** Returns to a place. Another field of the root may have moved the path meanwhile. */
  moveTo(place: readonly (string | number)[]): void {
    this.path.splice(0, this.path.length, ...place);
  }

  /** Notes an error at the current place, whose value becomes null. Throws the error where null is not allowed. */
  fail(error: unknown, nodes: readonly FieldNode[], isNonNull: boolean): null {
    const { answer } = this;
    const isRefusal = error !== undefined && error === answer.refusal;
    const located = () => locatedError(error, nodes, [...this.path]);
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
