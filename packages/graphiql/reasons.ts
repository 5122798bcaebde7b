/** A letter stands for each reason, because not everybody sees colours. */
export interface Reason {
  letter: string;
  /** One sentence about the purpose of the call. */
  meaning: string;
}

/** By the name in the trace. */
const reasons: Record<string, Reason> = {
  root: { letter: 'R', meaning: 'The operation itself asks for it.' },
  write: { letter: 'W', meaning: 'A field of the mutation.' },
  'by id': { letter: 'I', meaning: 'One object, by its id.' },
  'list scan': { letter: 'L', meaning: 'A page of a list, to find objects on it.' },
  bisect: { letter: 'B', meaning: 'A part of a page that failed, to find the row that the service fails on.' },
  reread: { letter: 'A', meaning: 'Rows read again, because the pages of the list did not fit together.' },
  dialect: { letter: 'D', meaning: 'Shows which version of the interface the service speaks.' },
  'filter check': { letter: 'F', meaning: 'Shows whether the service applies a filter.' },
  token: { letter: 'T', meaning: 'Shows whether the service accepts a new token.' },
};

/** A newer gateway may know more reasons. */
export function reasonOf(name: string): Reason {
  return reasons[name] ?? { letter: '?', meaning: '' };
}

/** For a class of the style sheet: `by-id`. */
export function reasonClass(name: string): string {
  return `gateway-reason-${name.replaceAll(' ', '-')}`;
}

/** The reasons why a read or write cost no call, by the value in the trace. */
export const savers: Record<string, { word: string; meaning: string }> = {
  cache: { word: 'cache', meaning: 'The gateway read it a short while ago.' },
  'in flight': { word: 'shared', meaning: 'An equal read was under way, and its answer serves both.' },
  replay: { word: 'replay', meaning: 'An earlier request with the same Idempotency-Key made this write.' },
};
