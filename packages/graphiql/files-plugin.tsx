import {
  type GraphiQLPlugin,
  tryParseJSONC,
  useGraphiQL,
  useGraphiQLActions,
  useOperationsEditorState,
  useVariablesEditorState,
} from '@graphiql/react';
import { type DragEvent, useId, useState } from 'react';
import { operationOf, uploadVariables } from './operation.ts';
import { type OperationRun, useLastRun } from './operation-runs.ts';
import { Panel } from './panel.tsx';
import { choose, isChosen } from './upload.ts';

/** Files for the variables of type Upload. */
export const filesPlugin: GraphiQLPlugin = {
  title: 'Files',
  icon: () => (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M6 3h8l5 5v13H6zM14 3v5h5M12.5 18v-6M10 14.5l2.5-2.5 2.5 2.5" />
    </svg>
  ),
  content: () => (
    <Panel title="Files">
      <Files />
    </Panel>
  ),
};

function Files() {
  const [document] = useOperationsEditorState();
  const [variables, setVariables] = useVariablesEditorState();
  const operationName = useGraphiQL((state) => state.operationName);
  const { run } = useGraphiQLActions();
  const lastRun = useLastRun();
  const names = uploadVariables(operationOf(document, operationName));
  const values = parsed(variables);

  if (names.length === 0) return <NoVariable />;
  if (!values) return <p role="status">The variables are no JSON: correct them under “Variables” first.</p>;
  const bind = (name: string, value: string | null) =>
    setVariables(JSON.stringify({ ...values, [name]: value }, null, 2));
  return (
    <>
      {names.map((name) => (
        <UploadVariable key={name} name={name} value={values[name]} onChange={(value) => bind(name, value)} />
      ))}
      <button
        type="button"
        className="graphiql-button"
        disabled={!names.some((name) => isChosen(values[name]))}
        onClick={run}
      >
        Run with the file
      </button>
      <p role="status">{lastRun?.file && outcomeOf(lastRun.file, lastRun)}</p>
      <p className="gateway-hint">
        One file for each request. It is sent by the tab whose variables name it, and by no other.
      </p>
    </>
  );
}

function NoVariable() {
  return (
    <>
      <p role="status">The operation has no variable of type Upload, so there is nothing to give a file to.</p>
      <p>
        Open “Upload an invoice” under Examples, or declare one: <code>mutation ($invoice: Upload!) …</code>
      </p>
    </>
  );
}

function UploadVariable({
  name,
  value,
  onChange,
}: {
  name: string;
  value: unknown;
  onChange: (value: string | null) => void;
}) {
  const field = useId();
  const [isOver, setOver] = useState(false);
  const [complaint, setComplaint] = useState('');
  const isBound = isChosen(value);

  function take(files: FileList | null) {
    const [file] = files ?? [];
    if (!file) return;
    if (files?.length === 1) onChange(choose(file));
    setComplaint(files?.length === 1 ? '' : 'The gateway takes one file for each request: choose one.');
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the field inside is for everybody
    <div
      className={isOver ? 'gateway-drop gateway-over' : 'gateway-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor={field}>
        File for <code>${name}</code>: choose one, or drop it here
      </label>
      <input
        id={field}
        type="file"
        onChange={(event) => {
          take(event.currentTarget.files);
          // Choosing the same file again is a choice too, as when it has changed.
          event.currentTarget.value = '';
        }}
      />
      {isBound && (
        <p className="gateway-field">
          <span>{String(value)}</span>
          <button type="button" className="graphiql-button" onClick={() => onChange(null)}>
            Remove
          </button>
        </p>
      )}
      {!isBound && typeof value === 'string' && <p role="alert">{value} is not at hand any more: choose it again.</p>}
      {complaint && <p role="alert">{complaint}</p>}
    </div>
  );
}

function outcomeOf(file: string, { state, errors }: OperationRun): string {
  if (state === 'running') return `${file} is being sent.`;
  if (state === 'stopped') return `${file}: stopped before the answer came.`;
  const [error] = errors;
  if (!error) return `${file} was sent: see the answer.`;
  if (error.code === 'PAYLOAD_TOO_LARGE') return `${file} is larger than the gateway takes. ${error.message}`;
  return `${file}: ${error.message}`;
}

function parsed(variables: string): Record<string, unknown> | undefined {
  try {
    return tryParseJSONC(variables) ?? {};
  } catch {
    return undefined;
  }
}
