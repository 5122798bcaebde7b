import type { Failure } from './failure.ts';
import { failureTexts } from './failure-texts.ts';

/** The message for one field of a form's input. */
export function fieldMessage(failures: Failure[], ...field: (string | number)[]): string | undefined {
  const wrong = failures.flatMap(({ fields = [] }) => fields);
  return wrong.find(({ path }) => path.slice(1).join() === field.join())?.message;
}

/** One line for each failure, by its code. */
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
  // In a list, one line names the missing field for all rows.
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
