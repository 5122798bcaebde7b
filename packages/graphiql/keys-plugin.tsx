import { type GraphiQLPlugin, tryParseJSONC, useHeadersEditorState } from '@graphiql/react';
import { useId, useState } from 'react';
import { demoKeys } from './demo-keys.ts';
import { useObservable } from './observable.ts';
import { useLastRun } from './operation-runs.ts';
import { Panel } from './panel.tsx';
import { apiKey, demoKey, keyHeader, newIdempotencyKeys, signInRules } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The keys that operations are sent with. */
export const keysPlugin: GraphiQLPlugin = {
  title: 'Keys',
  icon: () => (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle cx="8" cy="15" r="4.5" />
      <path d="m11.5 11.5 8-8m-3 3 3 3" />
    </svg>
  ),
  content: () => (
    <Panel title="Keys">
      <ApiKey />
      {demoKeys.has(demoKey) && <DemoKeys />}
      {signInRules && <SignInForm />}
      <IdempotencyKeys />
    </Panel>
  ),
};

function ApiKey() {
  const key = useObservable(apiKey);
  const [isShown, setShown] = useState(false);
  const [headers] = useHeadersEditorState();
  const field = useId();
  return (
    <>
      <label htmlFor={field}>{keyHeader}</label>
      <div className="gateway-field">
        <input
          id={field}
          type={isShown ? 'text' : 'password'}
          autoComplete="off"
          spellCheck={false}
          placeholder="Bearer …"
          value={key}
          onChange={(event) => apiKey.set(event.currentTarget.value)}
        />
        <button type="button" className="graphiql-button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          Show
        </button>
        <button type="button" className="graphiql-button" disabled={key === ''} onClick={() => apiKey.set('')}>
          Clear
        </button>
      </div>
      {setsKey(headers) && (
        <p role="status" className="gateway-warning">
          “Headers” sets {keyHeader} too: that one is sent.
        </p>
      )}
      <p className="gateway-hint">
        Sent with every operation of this browser tab, and forgotten when it is closed. It is never written to the
        history, the address or localStorage.
      </p>
    </>
  );
}

function setsKey(headers: string): boolean {
  try {
    return Object.keys(tryParseJSONC(headers) ?? {}).some((name) => name.toLowerCase() === keyHeader.toLowerCase());
  } catch {
    return false;
  }
}

function DemoKeys() {
  const current = useObservable(apiKey);
  return (
    <fieldset>
      <legend>Keys of the sandbox</legend>
      {[...demoKeys].map(([key, holder]) => (
        <label key={key}>
          <input type="radio" name="demo-key" checked={current === key} onChange={() => apiKey.set(key)} />{' '}
          <code>{key}</code>, {holder}
        </label>
      ))}
    </fieldset>
  );
}

function IdempotencyKeys() {
  const isOn = useObservable(newIdempotencyKeys) !== '';
  const last = useLastRun()?.idempotencyKey;
  return (
    <fieldset>
      <legend>Sending a mutation again</legend>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => newIdempotencyKeys.set(event.currentTarget.checked ? 'yes' : '')}
        />{' '}
        A new <code>Idempotency-Key</code> for each mutation that is run
      </label>
      {last && (
        <p role="status">
          Last sent: <code>{last}</code>
        </p>
      )}
      <p className="gateway-hint">To send one again, put its key under “Headers”, which win over what is set here.</p>
    </fieldset>
  );
}
