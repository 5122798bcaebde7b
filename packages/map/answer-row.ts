import type { ExecutionArgs, Field, FieldTree } from '@gateway/base';
import type { ErrorPath, ListWindow, RowPlace, RowSource } from '@gateway/files';
import { runOperation } from '@gateway/graphql-serve';
import type { RequestContext, RestService } from '@gateway/rest-graph';

/** A whole answer as the one row of a file. */
export class AnswerRow implements RowSource {
  readonly operationName: string | undefined;
  readonly name: string;
  readonly maxRows = 1;
  readonly after = null;
  readonly #service: RestService;
  readonly #args: ExecutionArgs;

  constructor(service: RestService, args: ExecutionArgs, { name }: Field) {
    this.#service = service;
    this.#args = args;
    this.operationName = args.operation.definition.name?.value;
    this.name = name;
  }

  get tree(): FieldTree {
    return this.#args.tree;
  }

  /** @throws GraphQLError where the root field has failed. */
  async read(context: RequestContext): Promise<ListWindow> {
    const args = { ...this.#args, contextValue: context, answer: context.answer };
    this.#service.admit(args, context);
    const { data, errors: failures = [] } = await runOperation(this.#service, args, context);
    const errors = [...failures.map((error) => context.errors.causeOf(error)), ...context.errors.list];
    if (!data || Object.values(data).every((value) => value === null)) {
      if (errors[0]) throw errors[0];
    }
    return { rows: [data], errors, cursor: null, hasNext: false };
  }

  rowAt(path: ErrorPath): RowPlace {
    return { index: 0, path };
  }
}
