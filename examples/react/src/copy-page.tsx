import { useCopy } from './copy/use-copy.ts';
import { Failures } from './failures.tsx';
import { useOnline } from './use-online.ts';

/** Shows the transactions on this device, with or without a network. */
export function CopyPage() {
  const { rows, syncing, failures, sync } = useCopy();
  const online = useOnline();
  const newestFirst = [...rows].sort((one, other) => String(other.date).localeCompare(String(one.date)));

  return (
    <>
      <h1>On this device</h1>
      <p role="status">
        {rows.length} transactions. {!online && 'No network.'} {syncing && 'Syncing…'}
      </p>
      <Failures failures={[...failures]} />
      <button type="button" disabled={syncing || !online} onClick={() => void sync()}>
        Sync
      </button>
      <ul aria-label="Transactions on this device" className="rows">
        {newestFirst.slice(0, 50).map(({ id, number, date, quantity }) => (
          <li key={id}>
            {number}, {date?.slice(0, 10)}: {quantity}
          </li>
        ))}
      </ul>
    </>
  );
}
