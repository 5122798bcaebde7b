import { parseDecimal, wholeDigits } from './decimal.ts';
import { Crash, type FieldErrors, refused } from './refusal.ts';
import type { Session } from './session.ts';
import type { Table } from './store.ts';
import { fromUnixSeconds, parseIsoDate, parseIsoTime } from './time.ts';

/** Reads the value of one field of a body. `requiredIn` names the dialects that require the field. */
export interface Field<T> {
  read(value: unknown, session: Session): T;
  nullable?: true;
  requiredIn?: 'every dialect' | 'connect';
}
export type Required<T> = Field<T> & { requiredIn: 'every dialect' };
export type Fields = Record<string, Field<unknown>>;

type ValueOf<F> = F extends Field<infer T> ? T : never;
/** A checked body, without unknown and absent keys. */
export type Body<F extends Fields> = {
  [K in keyof F as F[K] extends Required<unknown> ? K : never]: ValueOf<F[K]>;
} & { [K in keyof F as F[K] extends Required<unknown> ? never : K]?: ValueOf<F[K]> };

/** Thrown by a field that refuses its value. The object around it collects the errors of all fields. */
class Invalid extends Error {
  readonly errors: FieldErrors;
  constructor(errors: FieldErrors) {
    super('invalid');
    this.errors = errors;
  }
}

const fail = (message: string): never => {
  throw new Invalid([message]);
};

/** Refuses fields that are wrong together, not each by itself. */
export function refuseFields(errors: FieldErrors): never {
  throw new Invalid(errors);
}

/** The body of the 400; undefined for any other error. */
export function fieldErrorsOf(error: unknown): FieldErrors | undefined {
  return error instanceof Invalid ? error.errors : undefined;
}

function readObject<F extends Fields>(fields: F, value: unknown, session: Session, isPartial: boolean): Body<F> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${pythonType(value)}.`] });
  }
  const body: Record<string, unknown> = {};
  const errors: Record<string, FieldErrors> = {};
  for (const [name, field] of Object.entries(fields)) {
    const sent = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    if (sent !== undefined) collect(errors, name, () => set(body, name, readField(field, sent, session)));
    else if (!isPartial && isRequired(field, session)) errors[name] = ['This field is required.'];
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return body as Body<F>;
}

/** Sets no undefined, because an ignored value must not hide a default. */
function set(body: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) body[name] = value;
}

function readField<T>(field: Field<T>, value: unknown, session: Session): T {
  if (value === null && !field.nullable) fail('This field may not be null.');
  return field.read(value, session);
}

function isRequired(field: Field<unknown>, session: Session): boolean {
  return field.requiredIn === 'every dialect' || (field.requiredIn === 'connect' && session.connect);
}

function collect(errors: Record<string | number, FieldErrors>, at: string | number, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    errors[at] = error.errors;
  }
}

function pythonType(value: unknown): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return { string: 'str', boolean: 'bool', object: 'dict' }[typeof value as string] ?? 'str';
}

export const required = <T>(field: Field<T>): Required<T> => ({ ...field, requiredIn: 'every dialect' });
export const requiredInConnect = <T>(field: Field<T>): Field<T> => ({ ...field, requiredIn: 'connect' });
export const nullable = <T>(field: Field<T>): Field<T | null> => ({
  ...field,
  nullable: true,
  read: (value, session) => (value === null ? null : field.read(value, session)),
});

/** A field that the real service takes and does not store. */
export const ignoredInConnect = <T>(field: Field<T>): Field<T | undefined> => ({
  ...field,
  read: (value, session) => (session.connect ? undefined : field.read(value, session)),
});

/** `min` and `max` are numbers of Unicode code points. */
export function text({ min = 0, max = Number.POSITIVE_INFINITY } = {}): Field<string> {
  return {
    read(value) {
      if (typeof value !== 'string') return fail('Not a valid string.');
      if (value.includes('\0')) fail('Null characters are not allowed.');
      const length = [...value].length;
      if (length < min) fail('This field may not be blank.');
      if (length > max) fail(`Ensure this field has no more than ${max} characters.`);
      return value;
    },
  };
}

export function email(max: number): Field<string> {
  const bounded = text({ max });
  return {
    read(value, session) {
      const address = bounded.read(value, session);
      if (address !== '' && !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/u.test(address)) fail('Enter a valid email address.');
      return address;
    },
  };
}

/** The real service stores null for a phone number that is not a whole international one. */
export function phone(max?: number): Field<string | null> {
  const bounded = text(max === undefined ? {} : { max });
  return {
    nullable: true,
    read(value, session) {
      if (value === null) return null;
      const number = bounded.read(value, session);
      return session.connect ? international(number) : number;
    },
  };
}

function international(number: string): string | null {
  const digits = number.replace('(0)', '').replace(/\D/g, '');
  const isWhole = /^(tel:)?\+[1-9][\d ()./-]*$/.test(number.trim()) && digits.length >= 7 && digits.length <= 15;
  return isWhole ? `+${digits.slice(0, -9)} ${digits.slice(-9, -8)} ${digits.slice(-8)}`.replace('+ ', '+') : null;
}

export const number: Field<number> = {
  read: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : fail('A valid number is required.')),
};

export const boolean: Field<boolean> = {
  read: (value) => (typeof value === 'boolean' ? value : fail('Must be a valid boolean.')),
};

/** Three decimals of a number in binary floating point, as the real service computes amounts. */
export const amount: Field<string> = {
  read(value, session) {
    const exact = decimal.read(value, session);
    return session.connect ? Number(exact).toFixed(3) : exact;
  },
};

/** Exact text with three decimals. */
export const decimal: Field<string> = {
  read(value, session) {
    const exact = typeof value === 'string' || typeof value === 'number' ? parseDecimal(value) : undefined;
    if (exact === undefined) return fail('A valid number is required.');
    if (wholeDigits(exact) > 22) {
      if (session.connect) throw new Crash();
      fail('Ensure that there are no more than 25 digits in total.');
    }
    return exact;
  },
};

export function oneOf<const T extends string>(...choices: T[]): Field<T> {
  return {
    read: (value) => (choices.includes(value as T) ? (value as T) : fail(`"${String(value)}" is not a valid choice.`)),
  };
}

export const date: Field<string> = {
  read: (value) =>
    (typeof value === 'string' ? parseIsoDate(value) : undefined) ??
    fail('Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'),
};

const timeFormats = 'YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]';

export const dateTime: Field<string> = {
  read(value, session) {
    if (session.connect) {
      const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      const time = typeof seconds === 'number' ? fromUnixSeconds(seconds) : undefined;
      // The real service raises this outside of its field checks, so that it hides every other error.
      if (time === undefined) throw refused(400, 'Unix timestamps must be float or int');
      return time;
    }
    const time = typeof value === 'string' ? parseIsoTime(value) : undefined;
    return time ?? fail(`Datetime has wrong format. Use one of these formats instead: ${timeFormats}.`);
  },
};

/** The id of a row that must exist. */
export function reference(table: Table, kind?: string): Field<string> {
  return {
    read(value, session) {
      if (typeof value !== 'string') return fail(`Incorrect type. Expected pk value, received ${pythonType(value)}.`);
      if (value === '') fail('This field may not be blank.');
      if (!session.store.get(table, value, kind)) fail(`Invalid pk "${value}" - object does not exist.`);
      return value;
    },
  };
}

/** Reports the errors of all fields at once. */
export function object<F extends Fields>(fields: F): Field<Body<F>> {
  return { read: (value, session) => readObject(fields, value, session, false) };
}

/** The body of a PATCH: nothing is required. */
export function partial<F extends Fields>(fields: F): Field<Partial<Body<F>>> {
  return { read: (value, session) => readObject(fields, value, session, true) };
}

export function list<T>(item: Field<T>): Field<T[]> {
  return {
    read(value, session) {
      if (!Array.isArray(value)) return fail(`Expected a list of items but got type "${pythonType(value)}".`);
      const items: T[] = [];
      const errors: Record<number, FieldErrors> = {};
      value.forEach((entry, position) => {
        collect(errors, position, () => items.push(readField(item, entry, session)));
      });
      if (Object.keys(errors).length > 0) throw new Invalid(value.map((_, position) => errors[position] ?? {}));
      return items;
    },
  };
}
