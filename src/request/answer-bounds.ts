import type { GraphQLError } from 'graphql';
import type { Config } from '../config.ts';
import { codedError } from '../errors/codes.ts';
import type { AnswerBounds } from '../graphql/executor/answer-limit.ts';
import { noMemory, type Scope } from '../upstream/scope.ts';

export type AnswerLimits = Pick<Config['limits']['operations'], 'objects' | 'answerBytes'>;

/** The bounds of one answer, which takes its memory from that of its operation. */
export function answerBounds({ objects, answerBytes }: AnswerLimits, scope: Scope): AnswerBounds {
  return {
    objects,
    bytes: answerBytes,
    // The objects take as much as their JSON.
    hold: (characters) => scope.hold(2 * characters),
    refuse(what) {
      if (what === 'memory') return codedError('OVERLOADED', noMemory, { retry_after: 1 });
      const reason =
        what === 'objects' ? `more than ${objects} objects (limits.operations.objects)` : tooLong(answerBytes);
      return tooComplex(`The answer has ${reason}; what does not fit is null.`);
    },
  };
}

/** The error in place of an answer that turns out too long when it is sent. */
export function answerTooLong(answerBytes: number): GraphQLError {
  return tooComplex(`The answer has ${tooLong(answerBytes)}.`);
}

const tooLong = (answerBytes: number) => `more than ${answerBytes} bytes (MAX_ANSWER_BYTES)`;

function tooComplex(message: string): GraphQLError {
  return codedError('QUERY_TOO_COMPLEX', `${message} Ask for fewer rows or levels.`);
}
