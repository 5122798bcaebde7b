import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';

type Path = NonNullable<GraphQLResolveInfo['path']>;

export interface RunParts {
  schema: GraphQLSchema;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  operation: OperationDefinitionNode;
  variableValues: Record<string, unknown>;
  context: unknown;
}

/** What a resolver may know of its field but for the path, which changes with every row. */
export interface FieldInfo extends Pick<GraphQLResolveInfo, 'fieldName' | 'fieldNodes' | 'returnType' | 'parentType'> {
  /** Its number among the fields of the operation. */
  slot: number;
}

/** One execution of a compiled operation. */
export class Run {
  readonly parts: RunParts;
  readonly context: unknown;
  readonly errors: GraphQLError[] = [];
  /** Where execution is. Below the root it is synchronous, so one path that grows and shrinks serves all fields. */
  readonly path: (string | number)[] = [];
  readonly #infos: (GraphQLResolveInfo | undefined)[] = [];

  constructor(parts: RunParts) {
    this.parts = parts;
    this.context = parts.context;
  }

  /** The `info` of a field of the root, which is read while other fields run. */
  rootInfo(field: FieldInfo, key: string): GraphQLResolveInfo {
    return { ...field, ...this.parts, rootValue: undefined, path: pathOf([key]) };
  }

  /** The `info` of a field below the root: one object for all its rows, whose path is read before the next row is begun. */
  info(field: FieldInfo): GraphQLResolveInfo {
    let info = this.#infos[field.slot];
    if (!info) {
      const { path } = this;
      info = {
        ...field,
        ...this.parts,
        rootValue: undefined,
        get path() {
          return pathOf(path);
        },
      };
      this.#infos[field.slot] = info;
    }
    return info;
  }

  /** What failed where execution is: null there with an error, unless null must not be there. */
  fail(error: unknown, nodes: readonly FieldNode[], isNonNull: boolean): null {
    const located = locatedError(error, nodes, [...this.path]);
    if (isNonNull) throw located;
    this.errors.push(located);
    return null;
  }
}

function pathOf(keys: readonly (string | number)[]): Path {
  return keys.reduce<Path | undefined>((prev, key) => ({ prev, key, typename: undefined }), undefined) as Path;
}
