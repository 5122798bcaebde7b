import { CombinedGraphQLErrors, type ErrorLike } from '@apollo/client';
import { failureTexts } from './failure-texts.ts';

export interface Failure {
  code: string;
  /** The same request may succeed later. */
  retryable: boolean;
  /** Where in the answer something is missing; empty where there is no answer. */
  path: readonly (string | number)[];
  /** What is wrong in the input, and where. */
  fields?: { path: (string | number)[]; message: string }[];
  /** Seconds. */
  retry_after?: number;
  request_id?: string;
}

/** What a GraphQL answer says in `errors`, or that there was no such answer: a lost connection, a proxy's page. */
export function failuresOf(error: ErrorLike | undefined): Failure[] {
  if (!error) return [];
  if (!CombinedGraphQLErrors.is(error)) return [{ code: 'NO_ANSWER', retryable: true, path: [] }];
  return error.errors.map(({ path = [], extensions }) => ({
    code: 'INTERNAL_SERVER_ERROR',
    retryable: false,
    ...extensions,
    path,
  }));
}

/** The message for one field of a form's input. */
export function fieldMessage(failures: Failure[], ...field: (string | number)[]): string | undefined {
  const wrong = failures.flatMap(({ fields = [] }) => fields);
  return wrong.find(({ path }) => path.slice(1).join() === field.join())?.message;
}

/** One line for each thing that failed, told apart by code. */
export function Failures({ failures, onRetry }: { failures: Failure[]; onRetry?: () => void }) {
  if (failures.length === 0) return null;
  return (
    <div role="alert" className="failures">
      <ul>
        {[...new Set(failures.map(lineOf))].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function lineOf({ code, path, retry_after, request_id }: Failure): string {
  // Of a list it is enough to say which field is missing, once for all rows.
  const missing = path.filter((step) => typeof step === 'string' && !['edges', 'node'].includes(step)).slice(1);
  return [
    missing.length > 0 && `Missing here: ${missing.join(', ').replaceAll('_', ' ')}.`,
    failureTexts[code] ?? failureTexts.INTERNAL_SERVER_ERROR,
    retry_after !== undefined && `Try again in ${retry_after} s.`,
    code === 'INTERNAL_SERVER_ERROR' && `Please report it: ${request_id}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
