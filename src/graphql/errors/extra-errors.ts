import { GraphQLError, type GraphQLResolveInfo } from 'graphql';

/** Errors that stand beside data instead of in its place. */
export class ExtraErrors {
  readonly list: GraphQLError[] = [];

  /** Puts an error beside the field's data, or beside one item of its list. */
  add(info: GraphQLResolveInfo, error: GraphQLError, index?: number): void {
    const path: (string | number)[] = index === undefined ? [] : [index];
    for (let step: GraphQLResolveInfo['path'] | undefined = info.path; step; step = step.prev) path.unshift(step.key);
    this.list.push(new GraphQLError(error.message, { nodes: info.fieldNodes, path, originalError: error }));
  }
}
