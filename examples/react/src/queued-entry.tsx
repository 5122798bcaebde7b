import { Correction } from './correction.tsx';
import { failureTexts } from './failure-texts.ts';
import { dependentsOf, drop, foundDone, makeAnew } from './outbox/queue-changes.ts';
import { type QueuedWrite, refsIn } from './outbox/queued-write.ts';
import { useOutbox } from './outbox/use-outbox.ts';

/** One write of the outbox, and what the user can do about it. */
export function QueuedEntry({ queued }: { queued: QueuedWrite }) {
  const { queue, sender, writes } = useOutbox();
  const { key, title, state, write, sentAt, id, error } = queued;
  const needs = refsIn(write);
  const needed = writes.find(({ ref }) => needs.includes(ref));
  const dependents = dependentsOf(writes, queued).length;
  // No page shows the id of a card. The same assignment twice does no harm.
  const mayRepeat = write.createEntityCard && dependents > 0;

  async function sendAnew(corrected = write) {
    await queue.change((all) => makeAnew(all, key, corrected));
    void sender.send();
  }
  async function found(form: FormData) {
    await queue.change((all) => foundDone(all, key, dependents > 0 ? String(form.get('id')).trim() : undefined));
    void sender.send();
  }

  return (
    <li data-state={state}>
      <strong>{title}</strong>{' '}
      {state === 'done' && (write.createFarmer && id ? <a href={`#/farmers/${id}`}>Done</a> : 'Done')}
      {state === 'pending' && (needed ? `Waits for: ${needed.title}` : sentAt ? 'Sent, not answered' : 'Saved')}
      {state === 'refused' && 'Refused'}
      {state === 'unknown' && (mayRepeat ? 'Unknown' : 'Unknown: look before you send it again')}
      {error && !needed && <p className="failures">{failureTexts[error.code] ?? error.message}</p>}
      {state === 'refused' && <Correction queued={queued} onCorrected={sendAnew} />}
      {state === 'unknown' && (
        <>
          {!mayRepeat && (
            <form action={found}>
              {dependents > 0 && (
                <label>
                  Its id, at the end of the address of its page
                  <input name="id" required />
                </label>
              )}
              <button type="submit">It is there</button>
            </form>
          )}
          <button type="button" onClick={() => void sendAnew()}>
            {mayRepeat ? 'Assign the card again' : 'It is not there: send it again'}
          </button>
        </>
      )}
      {state === 'done' &&
        error?.fields?.map(({ path, message }) => (
          <p key={path.join('.')} className="failures">
            {path.slice(1).join(' ')}: {message}
          </p>
        ))}
      {(state === 'refused' || (state === 'pending' && !sentAt)) && (
        <button type="button" onClick={() => void queue.change((all) => drop(all, key))}>
          {dependents > 0 ? `Drop, with ${dependents} that need it` : 'Drop'}
        </button>
      )}
    </li>
  );
}
