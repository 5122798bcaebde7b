/** `connect`: unix seconds in envelopes, and the known weaknesses of real deployments. */
export type DialectName = 'spec' | 'connect';
