import type { ErrorLike } from '@apollo/client';
import { type Failure, failuresOf } from '../failure.ts';
import type { QueuedWrite, WriteResult } from './queued-write.ts';

export interface Answer {
  results: readonly WriteResult[];
  failure?: Failure;
}

interface Pushed {
  data?: { push: readonly WriteResult[] } | null | undefined;
  error?: ErrorLike | undefined;
}

const noAnswer: Failure = { code: 'NO_ANSWER', retryable: true, path: [] };

/** The answer to a push. Without one, the same writes are sent again. */
export function answerOf(push: readonly QueuedWrite[], { data, error }: Pushed): Answer {
  if (data) return { results: data.push };
  const [failure = noAnswer, ...more] = failuresOf(error);
  const refused = refusedBeforehand(push, [failure, ...more]);
  return refused.length > 0 ? { results: refused } : { results: [], failure };
}

/** Why writes are still open: the sign-in first, because nothing goes on without one. All of them are sent again. */
export function failureIn(results: readonly WriteResult[]): Failure | undefined {
  const errors = results.flatMap(({ error }) => error ?? []);
  const { code } = errors.find((error) => error.code === 'UNAUTHENTICATED') ?? errors[0] ?? {};
  const retry_after = Math.max(0, ...errors.map((error) => error.retry_after ?? 0));
  return code === undefined ? undefined : { code, retryable: true, path: [], ...(retry_after > 0 && { retry_after }) };
}

/** Input of a wrong type makes the gateway refuse the whole push. The writes at fault leave it, and the others go on. */
function refusedBeforehand(push: readonly QueuedWrite[], failures: Failure[]): WriteResult[] {
  const fields = failures.flatMap(({ fields = [] }) => fields);
  return push.flatMap(({ key }, index) => {
    const ofWrite = fields.filter(({ path: [argument, position] }) => argument === 'writes' && position === index);
    if (ofWrite.length === 0) return [];
    // After `writes`, the position, `write` and the kind comes the path in the input.
    const paths = ofWrite.map(({ path, message }) => ({ path: ['input', ...path.slice(4).map(String)], message }));
    const error = { code: 'BAD_USER_INPUT', message: '', retryable: false, retry_after: null, fields: paths };
    return [{ key, status: 'REFUSED', object: null, error }];
  });
}
