import type { GraphQLError } from 'graphql';
import { codedError } from '../errors/codes.ts';
import type { AnswerBounds } from './answer-limit.ts';

/** Says why an operation does not get its memory. */
export const noMemory =
  'The operations that run hold as much as the gateway has memory for (limits.operations.memoryBytes).';

/** The bounds of one answer. `hold` takes memory for so many bytes, or says that there is none. */
export function answerBounds(
  { objects, answerBytes }: { objects: number; answerBytes: number },
  hold: (bytes: number) => boolean,
): AnswerBounds {
  return {
    objects,
    bytes: answerBytes,
    // The objects take as much as their JSON.
    hold: (characters) => hold(2 * characters),
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
