import { Failures } from './failures.tsx';
import { dropDone } from './outbox/queue-changes.ts';
import { useOutbox } from './outbox/use-outbox.ts';
import { QueuedEntry } from './queued-entry.tsx';
import { useOnline } from './use-online.ts';

/** Shows all that the user has made on this device, and what has become of it. */
export function OutboxPage() {
  const { queue, sender, writes, state } = useOutbox();
  const online = useOnline();
  const waiting = writes.filter((queued) => queued.state === 'pending').length;

  return (
    <>
      <h1>Outbox</h1>
      <p role="status">
        {waiting === 0 ? 'Nothing waits.' : `${waiting} waiting.`} {!online && 'No network.'}
        {state.sending && 'Sending…'}
      </p>
      {waiting > 0 && state.failure && <Failures failures={[state.failure]} />}
      <button type="button" onClick={() => void sender.send()}>
        Send now
      </button>{' '}
      <button type="button" onClick={() => void queue.change(dropDone)}>
        Clear what is done
      </button>
      <ul aria-label="Outbox" className="rows">
        {writes.map((queued) => (
          <QueuedEntry key={queued.position} queued={queued} />
        ))}
      </ul>
    </>
  );
}
