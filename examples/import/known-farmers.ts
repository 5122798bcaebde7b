import type { Gateway } from './gateway.ts';

interface Farmer {
  id: string;
  name: string | null;
  number: string | null;
  phone: string | null;
  identification_no: string | null;
  province: string | null;
  country: string | null;
}

/** Fewer digits are no telephone number. */
const leastDigits = 7;

/** The farmers that are there, by what people have of them. */
export interface Known {
  byNumber: Map<string, Farmer>;
  byName: Map<string, Farmer>;
  phones: { digits: string; farmer: Farmer }[];
  /** Provinces with their countries. */
  places: Set<string>;
}

/** Reads all farmers once. To ask `farmerCandidates` for each row would cost the service up to three calls a row. */
export async function readKnown({ url, key }: Gateway): Promise<Known> {
  const query = '{ farmers { results { id name number phone identification_no province country } } }';
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json', accept: 'application/jsonl' },
    body: JSON.stringify({ query }),
  });
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const end = lines.at(-1).$end;
  if (!end?.complete)
    throw new Error(end?.error?.message ?? lines[0]?.errors?.[0]?.message ?? 'The list was cut: try again.');
  const known: Known = { byNumber: new Map(), byName: new Map(), phones: [], places: new Set() };
  for (const farmer of lines as Farmer[]) {
    if (farmer.id === undefined) continue;
    for (const text of [farmer.number, farmer.identification_no]) if (text) known.byNumber.set(bare(text), farmer);
    if (farmer.name) known.byName.set(named(farmer.name), farmer);
    const digits = digitsOf(farmer.phone ?? '');
    if (digits.length >= leastDigits) known.phones.push({ digits, farmer });
    const place = [farmer.province, farmer.country].filter(Boolean).join(', ');
    if (place) known.places.add(place.toLowerCase());
  }
  return known;
}

export interface Same {
  /** Has the number, phone or identification of the row. */
  there?: string;
  /** That farmer has the row's name, place, number, phone and identification, letter by letter. */
  isWhole?: boolean;
  /** Has the name of the row. */
  namesake?: string;
}

/** The farmers that a row may mean. Compares as `farmerCandidates` does. */
export function sameAs(input: Record<string, unknown>, known: Known): Same {
  const text = (field: string) => String(input[field] ?? '');
  const numbers = [text('number'), text('identification_no')].filter(Boolean).map(bare);
  const phone = digitsOf(text('phone'));
  const there =
    numbers.map((number) => known.byNumber.get(number)).find(Boolean) ??
    (phone.length >= leastDigits
      ? known.phones.find(({ digits }) => digits.endsWith(phone) || phone.endsWith(digits))?.farmer
      : undefined);
  const name = named(`${text('first_name')} ${text('last_name')}`);
  const namesake = known.byName.get(name);
  return {
    ...(there && { there: shown(there), isWhole: named(there.name ?? '') === name && hasCells(there, input) }),
    ...(namesake && { namesake: shown(namesake) }),
  };
}

const compared = ['number', 'phone', 'identification_no', 'province', 'country'] as const;
const hasCells = (farmer: Farmer, input: Record<string, unknown>) =>
  compared.every((field) => (input[field] ?? farmer[field]) === farmer[field]);
const shown = ({ name, id }: Farmer) => `${name} (${id})`;
const named = (text: string) => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
const bare = (text: string) => text.toLowerCase().replace(/[\s:\-._/]/g, '');
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '');
