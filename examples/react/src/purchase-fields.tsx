import type { Choices } from './choices.ts';
import { Field } from './field.tsx';

interface PurchaseFieldsProps {
  choices: Choices;
  /** Id of the currency that is chosen at first. */
  currency: string | undefined;
  messageAt?: (...field: (string | number)[]) => string | undefined;
  /** A pattern for decimals, in a form that nobody checks at once. */
  decimal?: string;
}

/** The fields of a purchase, for more than one form. */
export function PurchaseFields({ choices, currency, messageAt = () => undefined, decimal }: PurchaseFieldsProps) {
  const { ready, products, currencies, premiums } = choices;
  return (
    <>
      <Field label="Product" message={messageAt('product')}>
        {(attributes) => (
          <select name="product" required {...attributes}>
            {products.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Quantity" message={messageAt('quantity')}>
        {(attributes) => <input name="quantity" inputMode="decimal" pattern={decimal} required {...attributes} />}
      </Field>
      <Field label="Amount" message={messageAt('amount')}>
        {(attributes) => <input name="amount" inputMode="decimal" pattern={decimal} required {...attributes} />}
      </Field>
      <Field label="Currency" message={messageAt('currency')}>
        {(attributes) => (
          // The choices arrive later than the default among them.
          <select key={`${ready}`} name="currency" defaultValue={currency} required {...attributes}>
            {currencies.map(({ id, code, name }) => (
              <option key={id} value={id}>
                {code} {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Premium" message={messageAt('transaction_payments', 0, 'premium')}>
        {(attributes) => (
          <select name="premium" {...attributes}>
            <option value="">None</option>
            {premiums.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Amount of the premium" message={messageAt('transaction_payments', 0, 'amount')}>
        {(attributes) => <input name="premium-amount" type="number" min="0" step="any" {...attributes} />}
      </Field>
    </>
  );
}

/** The value of a field. Quantity and amount stay text, because JavaScript's numbers lose digits. */
export const textOf = (form: FormData, name: string) => String(form.get(name)).trim();
