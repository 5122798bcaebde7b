/** Values that may not come back, and where they are looked for. */

/** An address that nothing else has. Other systems than Linux have no second one for themselves. */
export const host = process.platform === 'linux' ? '127.0.0.77' : '127.0.0.1';

/** Each would be found in a text by itself. */
export const canaries = {
  key: 'canary-key-5f7a',
  cookie: 'canary-cookie-81c2',
  forwarded: 'canary-tenant-93d4',
  agent: 'canary-agent-04e6',
  idempotencyKey: 'canary "once" 15f8',
  email: 'canary.person+26a0@example.org',
  name: 'Canáry "Person" 37b2',
  fileName: 'canary invoïce 48c4.pdf',
  fileContent: '%PDF canary-content-59d6',
  redisPassword: 'canary-password-6ae8',
  /** Known to the service only. */
  inside: 'canary-inside-7bf0',
  /** Somebody else's, out of the service's database. */
  other: 'canary.other+8c12@example.org',
  unknownHost: 'canary-upstream.invalid',
  host,
} as const;

export type Canary = keyof typeof canaries;

export interface Finding {
  canary: Canary;
  /** The request, or the place of the value. */
  where: string;
  text: string;
}

const forms = Object.entries(canaries).flatMap(([name, value]) =>
  [...formsOf(value)].map((form) => ({ name: name as Canary, form })),
);

/** A text as it is, and as it looks within JSON, an address, base64 and hexadecimal digits. */
function formsOf(value: string): Set<string> {
  const bytes = Buffer.from(value);
  // The number of bytes before a text decides how base64 cuts it into threes.
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(2)])
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -6),
  );
  return new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
    encodeURIComponent(value),
    encodeURI(value),
    new URLSearchParams({ '': value }).toString().slice(1),
    bytes.toString('latin1'),
    bytes.toString('hex'),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]);
}

/** Marked values in a text. `own`: values that the client may get back. */
export function canariesIn(where: string, text: string, own: readonly Canary[] = []): Finding[] {
  const lower = text.toLowerCase();
  const found = forms.filter(({ name, form }) => !own.includes(name) && lower.includes(form.toLowerCase()));
  return [...new Set(found.map(({ name }) => name))].map((canary) => ({ canary, where, text: text.slice(0, 2_000) }));
}
