import { useEffect } from 'react';
import { notify } from './notices.tsx';
import { useObservable } from './observable.ts';
import { pace } from './session.ts';

const labels: Readonly<Record<string, string>> = { none: 'instant', '50ms': '50 ms', real: 'real' };

/** Chooses how long the sandbox takes for a call. Absent over a real service, whose pace nobody can choose. */
export function PaceSwitch() {
  const current = useObservable(pace);
  useEffect(() => {
    window.addEventListener('focus', follow);
    return () => window.removeEventListener('focus', follow);
  }, []);
  if (current === undefined) return null;
  return (
    <label
      className="gateway-pace"
      title="The time that the sandbox takes for a call: none, 50 ms, or that of a real service. It changes for everybody who uses this gateway."
    >
      Sandbox{' '}
      <select value={current} onChange={(event) => change(event.currentTarget.value)}>
        {!(current in labels) && <option>{current}</option>}
        {Object.entries(labels).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

const path = '/graphiql/pace/';

/** Another page may have changed the pace while this one was in the background. */
async function follow(): Promise<void> {
  const before = pace.get();
  if (before === undefined) return;
  const answer = await fetch(path).catch(() => undefined);
  const name = answer?.ok ? await answer.text() : before;
  if (name === before || pace.get() !== before) return;
  pace.set(name);
  notify(`The pace of the sandbox is “${labels[name] ?? name}” now: another page has changed it.`);
}

async function change(name: string): Promise<void> {
  const answer = await fetch(path + name, { method: 'PUT' }).catch(() => undefined);
  if (answer?.ok) pace.set(name);
  else notify('The pace of the sandbox did not change: the gateway refused it, or is away.', { isProblem: true });
}
