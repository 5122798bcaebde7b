/** Name of a dialect in the contract. */
export type DialectName = string;

/** The words of an envelope around each answer. */
export interface Envelope {
  data: string;
  /** False for a failure. Without it, the status of the answer alone shows one. */
  success?: string;
  message?: string;
  /** The status of a failure. */
  code?: string;
}

/** The traits of a dialect. The gateway asks for them, and for no name. */
export interface DialectTraits {
  name: DialectName;
  /** Date-times are ISO 8601 texts, or unix seconds. */
  times: 'iso' | 'unix';
  envelope?: Envelope;
  /** The message of the service for a time in another form. */
  refusesTimes?: string;
  /** A filter that each row of a page matches is applied. Other services may have more rows that do not match. */
  appliesFilters?: true;
  /** Services fail on some input, or store it broken. The gateway refuses such input before a write. */
  breaksOnInput?: true;
}
