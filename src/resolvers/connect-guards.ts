import { type FieldError, fieldsRefused } from '../errors.ts';

/**
 * What real deployments of the service are known to store although they cannot show it again: from then on every read of
 * the row, and of every list page that holds it, fails. It is refused before it is sent.
 */

/** Options of a form's field are text that must hold JSON. */
export function requireJsonOptions(fields: readonly { options?: string | null }[]): void {
  refuse(
    fields.flatMap(({ options }, index) =>
      options == null || isJson(options)
        ? []
        : { path: ['input', 'fields', index, 'options'], message: 'Must be JSON text.' },
    ),
  );
}

interface Payment {
  premium?: string | null;
  selected_option?: string | null;
}

/** Ids of the service are upper case, without I, L, O, 0 and 1; it takes its internal numbers as well. */
const idShape = /^([A-HJKMNP-Z2-9]{10,}|\d+)$/;

/** An option must be an id and needs its premium. Whether it is one of that premium's cannot be asked of the service. */
export function requireOptionIds(payments: readonly { path: (string | number)[]; payment: Payment | null }[]): void {
  refuse(
    payments.flatMap(({ path, payment }) => {
      const option = payment?.selected_option;
      if (option == null) return [];
      const message =
        payment?.premium == null ? 'Needs the premium that it belongs to.' : 'Must be the id of an option.';
      return payment?.premium != null && idShape.test(option) ? [] : { path: [...path, 'selected_option'], message };
    }),
  );
}

function refuse(fields: FieldError[]): void {
  if (fields.length > 0) throw fieldsRefused('The service would store this, but could not show it again', fields);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
