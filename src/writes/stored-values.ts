import { isEmpty, isSameText, isZero, type StoredValues } from '@gateway/rest-graph';

/** Values of inputs that the service stores in another spelling. */
export const storedValues: StoredValues = {
  spellings: {
    // The JSON text null stands for no options, and the service answers none as an empty object.
    options: (sent, stored) =>
      isSameText(sent, stored) || (String(sent).trim() === 'null' && (isEmpty(stored) || isZero(stored))),
    phone: (sent, stored) => isSameText(sent, stored) || (!isEmpty(stored) && digitsOf(sent) === digitsOf(stored)),
    email: isSameAddress,
    updated_email: isSameAddress,
  },
  /** The service stores the label as that in English, and answers it in the language of the client. */
  others: (field, stored) =>
    field === 'label'
      ? Object.entries(stored).flatMap(([name, value]) => (name.startsWith('label_') ? [value] : []))
      : none,
};

const none: readonly never[] = [];

/** The service can store an e-mail address in lower case. */
function isSameAddress(sent: unknown, stored: unknown): boolean {
  return isSameText(String(sent).toLowerCase(), String(stored ?? '').toLowerCase());
}

/** Spellings of one phone number have the same digits. The service leaves out a zero in brackets. */
function digitsOf(phone: unknown): string {
  return String(phone).replace('(0)', '').replace(/[^\d]/g, '');
}
