import { type AnswerLimit, isNoValue, UpstreamError } from '@gateway/base';
import { fromUpstreamError } from '@gateway/upstream';
import { type FieldNode, GraphQLError, type GraphQLResolveInfo } from 'graphql';

/** Throws errors of the service as the client sees them. */
export async function withCodes<T>(
  run: () => Promise<T>,
  details: Parameters<typeof fromUpstreamError>[1] = {},
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // `answerOf` decides whether an object that was there is an error.
    throw error instanceof UpstreamError && !error.existing ? fromUpstreamError(error, details) : error;
  }
}

/** Errors that stand beside data instead of in its place. */
export class ExtraErrors {
  readonly list: GraphQLError[] = [];
  readonly #failedReads: GraphQLError[] = [];
  readonly #answer: AnswerLimit;

  constructor(answer: AnswerLimit) {
    this.#answer = answer;
  }

  /** Puts an error beside the field's data, or beside a place below it. Throws if the answer has no room left. */
  add(info: GraphQLResolveInfo, error: Error, below: number | string | readonly (number | string)[] = []): void {
    const path = [below].flat();
    for (let step: GraphQLResolveInfo['path'] | undefined = info.path; step; step = step.prev) path.unshift(step.key);
    this.addAt(path, info.fieldNodes, error);
  }

  addAt(path: (number | string)[], nodes: readonly FieldNode[], error: Error): void {
    if (!this.#answer.addError()) throw this.#answer.refusal;
    this.list.push(new GraphQLError(error.message, { nodes, path, originalError: error }));
  }

  /** The same for the read of what the data lacks. Fields below have no value because of it. */
  addFailedRead(info: GraphQLResolveInfo, error: Error, below?: readonly (number | string)[]): void {
    this.add(info, error, below);
    this.#failedReads.push(this.list.at(-1) as GraphQLError);
  }

  /** The error to show for a field. A field without a value because of a failed read has the error of that read. */
  causeOf(error: GraphQLError): GraphQLError {
    if (this.#failedReads.length === 0 || !isNoValue(error)) return error;
    const { nodes, path } = error;
    const read = this.#failedReads.find((read) => read.path?.every((step, index) => step === path?.[index]));
    return read ? new GraphQLError(read.message, { nodes, path, originalError: read.originalError }) : error;
  }
}
