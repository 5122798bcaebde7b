import { Field } from './field.tsx';
import type { Write } from './gql/graphql.ts';
import type { QueuedWrite } from './outbox/queued-write.ts';

interface CorrectionProps {
  queued: QueuedWrite;
  onCorrected: (write: Write) => void;
}

/** The wrong fields of a refused write, each with its message. An application opens the form of the write instead. */
export function Correction({ queued: { write, error }, onCorrected }: CorrectionProps) {
  const [[kind, input] = []] = Object.entries(write);
  const wrong = (error?.fields ?? []).map(({ path, message }) => ({ path, message, value: valueAt({ input }, path) }));

  function submit(form: FormData) {
    const corrected = structuredClone({ input });
    for (const { path, value } of wrong) {
      const text = form.get(path.join('.'));
      if (text === null) continue;
      const parent = valueAt(corrected, path.slice(0, -1)) as Record<string, unknown>;
      parent[path.at(-1) ?? ''] = typeof value === 'number' ? Number(text) : String(text).trim();
    }
    onCorrected({ [`${kind}`]: corrected.input } as Write);
  }

  return (
    <form action={submit}>
      {wrong.map(({ path, message, value }) => (
        <Field key={path.join('.')} label={path.slice(1).join(' ').replaceAll('_', ' ')} message={message}>
          {(attributes) =>
            // A text or a number is corrected here; of an object, only the message shows.
            typeof value === 'object' ? (
              <output {...attributes} />
            ) : (
              <input name={path.join('.')} defaultValue={String(value ?? '')} {...attributes} />
            )
          }
        </Field>
      ))}
      <button type="submit">Send again</button>
    </form>
  );
}

/** Paths begin with `input`, as those of a mutation of one field do. */
function valueAt(write: { input: unknown }, path: string[]): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], write);
}
