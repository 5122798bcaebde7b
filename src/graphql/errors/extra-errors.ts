import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { AnswerLimit } from '../executor/answer-limit.ts';

/** Errors that stand beside data instead of in its place. */
export class ExtraErrors {
  readonly list: GraphQLError[] = [];
  readonly #answer: AnswerLimit;

  constructor(answer: AnswerLimit) {
    this.#answer = answer;
  }

  /** Puts an error beside the field's data, or beside a place below it. Throws if the answer has no room left. */
  add(info: GraphQLResolveInfo, error: Error, below: number | string | readonly (number | string)[] = []): void {
    if (!this.#answer.addError()) throw this.#answer.refusal;
    const path = [below].flat();
    for (let step: GraphQLResolveInfo['path'] | undefined = info.path; step; step = step.prev) path.unshift(step.key);
    this.list.push(new GraphQLError(error.message, { nodes: info.fieldNodes, path, originalError: error }));
  }
}
