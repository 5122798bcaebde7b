/** Types alone, which import nothing: the package for tests of apps shows them as they are. */

/**
 * The world of a test. Each resource is a number of rows, or a list of rows and numbers: `[{ first_name: 'Ama' }, 29]` is
 * Ama and 29 others. Fields that a row leaves out get sensible values, the same in each run.
 *
 * A resource that is left out is empty, except for the one row that others need. The companies of the keys `demo-coop` and
 * `demo-buyer`, their users and the currencies always stand.
 */
export interface SandboxSeed {
  /** Companies beside the two that always stand. */
  companies?: Rows<CompanyRow>;
  users?: Rows<UserRow>;
  /** Users in companies. A row without a user takes the next of `users`. */
  companyMembers?: Rows<CompanyMemberRow>;
  products?: Rows<ProductRow>;
  premiums?: Rows<PremiumRow>;
  forms?: Rows<FormRow>;
  /** Farmers sell to the company of `demo-coop` unless `buyer` says another. */
  farmers?: Rows<FarmerRow>;
  cards?: Rows<CardRow>;
  /** Cards in the hands of farmers. A row without a card takes the next of `cards`, or a new one. */
  entityCards?: Rows<EntityCardRow>;
  /** Purchases from farmers. Each comes with the payment of its amount, as in the service. */
  productTransactions?: Rows<ProductTransactionRow>;
  /** Payments of premiums, beside those of `productTransactions`. */
  paymentTransactions?: Rows<PaymentTransactionRow>;
}

export type Rows<Row> = number | readonly (Row | number)[];

/** References are ids: those of other rows of the seed, and those that always stand. */
interface SeedRow {
  /** 1 to 64 letters, digits, - and _. By default an id as the service makes them. */
  id?: string;
  /** Date-time in ISO 8601. By default the rows are an hour apart, the last an hour before `now`. */
  created_on?: string;
  /** Id of a user. */
  creator?: string;
  /** Id of a user. */
  updater?: string;
}

/** Values for the fields of a form, by their ids or keys. */
export interface SubmissionRow {
  /** Id of a form. */
  form: string;
  values: { field: string; value: string }[];
  /** Id of a product. */
  product?: string | null;
}

interface Place {
  house_name?: string;
  street?: string;
  city?: string;
  sub_province?: string;
  province?: string;
  latitude?: number;
  longitude?: number;
  zipcode?: string;
  country?: string;
}
type Nullable<T> = { [Name in keyof T]: T[Name] | null };

export interface CompanyRow extends SeedRow, Place {
  name?: string;
  /** Code or id of a currency. */
  currency?: string;
  description?: string;
  email?: string;
  phone?: string | null;
  buy_enabled?: boolean;
  sell_enabled?: boolean;
  quality_correction?: boolean;
  allow_multiple_login?: boolean;
  /** Id of a company. */
  buyer?: string | null;
}

export interface UserRow {
  id?: string;
  first_name?: string;
  last_name?: string;
  /** The user signs in with it, and with the password `sandbox`. */
  email?: string;
  /** Date, as in `1990-12-31`. */
  dob?: string | null;
  phone?: string | null;
  address?: string;
  updated_email?: string;
  /** Id of a company. */
  default_entity?: string | null;
  accepted_policy?: string | null;
  language?: string;
}

export interface CompanyMemberRow extends SeedRow {
  /** Id of a user. */
  user?: string;
  /** Id of a company, by default that of `demo-coop`. */
  company?: string;
  is_active?: boolean;
  type?: string;
}

export interface ProductRow extends SeedRow {
  name?: string;
  description?: string | null;
  is_active?: boolean;
  /** Path of a picture of the sandbox, such as `/media/images/product.png`. By default null. */
  image?: string | null;
  /** Ids of the companies with the product in their catalog, by default both that always stand. */
  companies?: string[];
}

export interface PremiumRow extends SeedRow {
  name?: string;
  category?: 'PAYOUT' | 'TRANSACTION';
  type?: 'PER_TRANSACTION' | 'PER_KG' | 'PER_UNIT_CURRENCY' | 'PER_FARMER';
  amount?: number | null;
  included?: boolean;
  dependant_on_card?: boolean;
  applicable_activity?: 'BUY' | 'SELL';
  calculation_type?: 'NORMAL' | 'MANUAL' | 'OPTIONS';
  is_active?: boolean;
  /** Id of a company, by default that of `demo-coop`. */
  owner?: string | null;
  options?: { name?: string; amount?: number; is_active?: boolean }[];
}

export interface FormRow extends SeedRow {
  form_type?: 'TRANSACTION' | 'FARMER' | 'PAYMENT' | 'PRODUCT';
  /** Id of a company, by default that of `demo-coop`. */
  owner?: string;
  fields?: {
    label?: string;
    type?: string;
    key?: string;
    required?: boolean;
    default_value?: string;
    options?: string;
  }[];
  field_config?: { label?: string; key?: string; visibility?: boolean; required?: boolean }[];
}

export interface FarmerRow extends SeedRow, Nullable<Place> {
  latitude?: number;
  longitude?: number;
  first_name?: string;
  last_name?: string | null;
  number?: string | null;
  identification_no?: string | null;
  reference_number?: string | null;
  /** Date, as in `1990-12-31`. */
  date_of_birth?: string | null;
  gender?: string | null;
  description?: string | null;
  phone?: string | null;
  email?: string | null;
  consent_status?: 'GRANTED' | 'NOT_GRANTED' | 'UNKNOWN';
  /** Id of the company that buys from the farmer. */
  buyer?: string;
  submission?: SubmissionRow;
  /** Path of a picture of the sandbox, such as `/media/images/person.png`. By default null. */
  image?: string | null;
  /** GeoJSON features, which services of the dialect `connect` show. By default none. */
  plots?: readonly object[];
}

export interface CardRow extends SeedRow {
  card_id?: string;
  display_id?: string | null;
}

export interface EntityCardRow extends SeedRow {
  /** Id of a card. */
  card?: string;
  /** Id of a farmer or a company; by default the next farmer. */
  entity?: string;
}

interface MovementRow extends SeedRow {
  /** Id of a farmer or a company. */
  source?: string;
  /** Id of a farmer or a company. */
  destination?: string;
  /** Code or id of a currency. */
  currency?: string;
  number?: string | null;
  /** Date-time in ISO 8601. */
  date?: string;
  invoice_number?: string;
  verification_latitude?: number;
  verification_longitude?: number;
  /** Id of a card; by default the card of the farmer. */
  card?: string | null;
}

export interface ProductTransactionRow extends MovementRow {
  /** Id of a product. */
  product?: string;
  /** Kilograms with up to three decimals. */
  quantity?: string | number | null;
  amount?: string | number;
  quality_correction?: number;
  /** Ids of earlier product transactions, whose goods this one takes. */
  parents?: string[];
  submissions?: SubmissionRow[];
  /** Payments beside that of the amount. */
  transaction_payments?: { amount?: number; premium?: string | null; selected_option?: string | null }[];
}

export interface PaymentTransactionRow extends MovementRow {
  amount?: number;
  /** Id of a premium. */
  premium?: string | null;
  selected_option?: string | null;
  /** Id of the product transaction that is paid. */
  transaction?: string | null;
}

/**
 * A status from 400 on, or
 * - `disconnect`: the connection closes, and the call does nothing;
 * - `lost-answer`: the call does its work, and the connection closes without an answer;
 * - `cut-answer`: the connection closes in the middle of the answer;
 * - `html`: a page of HTML with the status 200, as proxies send it;
 * - `wrong-type`: the right answer as `text/plain`.
 */
export type Failure = number | 'disconnect' | 'lost-answer' | 'cut-answer' | 'html' | 'wrong-type';

export interface MatchOptions {
  /** The number of calls that it meets. By default all until it is undone. */
  times?: number;
  /** Meets only the calls with all of this. */
  when?: {
    /** The id in the path. */
    id?: string;
    /** Parameters of the query, as in `{ offset: '10' }`. */
    query?: Record<string, string>;
    /** A part of the JSON that was sent. */
    body?: unknown;
  };
}

export interface FailureOptions extends MatchOptions {
  /** The body of a status: `{ detail: '…' }`, or messages by field. */
  body?: unknown;
  /** Seconds in the header Retry-After of a status. */
  retryAfter?: number;
}

/** Stands still at the `now` of the start, and moves by hand. Each write is a microsecond later than the one before. */
export interface SandboxClock {
  /** The time of the next write. */
  now(): string;
  set(time: string | Date): void;
  advance(ms: number): void;
}

/** How long a call keeps a worker of the service busy. */
export interface Cost {
  callMs: number;
  /** For each row of a list. */
  rowMs?: number | undefined;
}

/** The costs of calls, by method and path of the interface specification. */
export interface Pace {
  /** The calls that the service works on at the same time; 4 by default. */
  workers?: number | undefined;
  /** Each call in work adds this share to the time of a call that begins. By default nothing. */
  slowdown?: number | undefined;
  /** For the other endpoints; they cost nothing by default. */
  default?: Cost | undefined;
  [endpoint: `${'GET' | 'POST' | 'PATCH'} /${string}`]: Cost | undefined;
}
