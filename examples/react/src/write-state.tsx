import { Failures } from './failures.tsx';
import type { useWrite } from './use-write.ts';

type Write = Pick<ReturnType<typeof useWrite>, 'outcome' | 'failures' | 'sendAgain'>;

/** How a write ended, and what can be done about it. */
export function WriteState({ write: { outcome, failures, sendAgain } }: { write: Write }) {
  return (
    <>
      <Failures failures={failures} />
      {outcome === 'unanswered' && (
        <p>
          <button type="button" onClick={sendAgain}>
            Send again
          </button>{' '}
          It will not be done twice.
        </p>
      )}
    </>
  );
}
