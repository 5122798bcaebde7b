/** Codes that CLDR names beside the countries of ISO 3166: unions, islands of another country, and codes for tests. */
const others = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']);

/** English counts first. The others have no say where two of them name different countries alike. */
const languages = ['fr', 'es', 'pt', 'nl', 'de', 'id'];

/** Usual names that CLDR does not have. */
const usual: Readonly<Record<string, string>> = {
  'Ivory Coast': 'CI',
  'Democratic Republic of the Congo': 'CD',
  'Congo, Democratic Republic of the': 'CD',
  'DR Congo': 'CD',
  DRC: 'CD',
  'Republic of the Congo': 'CG',
  Congo: 'CG',
  'United Republic of Tanzania': 'TZ',
  'Tanzania, United Republic of': 'TZ',
  'Lao PDR': 'LA',
  "Lao People's Democratic Republic": 'LA',
  'Cabo Verde': 'CV',
  Swaziland: 'SZ',
  Burma: 'MM',
  Myanmar: 'MM',
  'East Timor': 'TL',
  Turkey: 'TR',
  'Czech Republic': 'CZ',
  'Russian Federation': 'RU',
  'Republic of Korea': 'KR',
  'Plurinational State of Bolivia': 'BO',
  'Bolivarian Republic of Venezuela': 'VE',
  'Great Britain': 'GB',
  England: 'GB',
  'United States of America': 'US',
  USA: 'US',
  'Hong Kong': 'HK',
  Macao: 'MO',
  Palestine: 'PS',
};

let known: ReadonlyMap<string, string> | undefined;

/** The two letters of ISO 3166 for the name of a country, or for these letters themselves. Undefined for another text. */
export function countryCode(name: string): string | undefined {
  known ??= allNames();
  return known.get(letters(name));
}

function allNames(): Map<string, string> {
  const codes = countryCodes();
  const names = new Map(codes.map((code) => [letters(code), code]));
  for (const style of ['long', 'short'] as const) {
    const english = namesIn('en', codes, style);
    for (const [name, code] of english) names.set(name, names.get(name) ?? code);
  }
  for (const [name, code] of Object.entries(usual)) names.set(letters(name), code);
  const foreign = languages.flatMap((language) => namesIn(language, codes, 'long'));
  const ambiguous = new Set(
    foreign
      .filter(([name, code]) => foreign.some((other) => other[0] === name && other[1] !== code))
      .map(([name]) => name),
  );
  for (const [name, code] of foreign) if (!names.has(name) && !ambiguous.has(name)) names.set(name, code);
  return names;
}

function namesIn(language: string, codes: readonly string[], style: 'long' | 'short'): [name: string, code: string][] {
  const names = new Intl.DisplayNames(language, { type: 'region', style });
  return codes.map((code) => [letters(names.of(code) ?? code), code]);
}

/** A code that was withdrawn has another one in its place. */
function countryCodes(): string[] {
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return alphabet
    .flatMap((first) => alphabet.map((second) => first + second))
    .filter((code) => names.of(code) && !others.has(code) && new Intl.Locale(`und-${code}`).region === code);
}

/** Accents, spaces, signs and a first article make no difference. */
function letters(name: string): string {
  const plain = name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/\bst\.? /g, 'saint ')
    .replace(/^\s*the /, '');
  return plain.replace(/[^\p{L}]/gu, '');
}
