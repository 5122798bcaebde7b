import { type ReactElement, useId } from 'react';

interface FieldProps {
  label: string;
  /** The violation of the field. */
  message: string | undefined;
  children: (attributes: { id: string; 'aria-invalid': boolean; 'aria-describedby': string }) => ReactElement;
}

/** An input with its label and its violation, connected for screen readers. */
export function Field({ label, message, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': message !== undefined, 'aria-describedby': `${id}-message` })}
      <span id={`${id}-message`}>{message}</span>
    </div>
  );
}
