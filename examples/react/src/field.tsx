import { type ReactElement, useId } from 'react';

interface FieldProps {
  label: string;
  /** What is wrong with it. */
  message: string | undefined;
  children: (attributes: { id: string; 'aria-invalid': boolean; 'aria-describedby': string }) => ReactElement;
}

/** An input with its label and what is wrong with it, joined for those who cannot see that they stand together. */
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
