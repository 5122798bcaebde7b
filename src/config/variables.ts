import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { basesOf, ordinaryMachine } from './bases.ts';
import { isLike } from './like-names.ts';
import { type Place, placesIn } from './places.ts';
import { settingsSchema } from './schema.ts';
import { filterArguments } from './upstream-settings.ts';

export const places = placesIn(settingsSchema(basesOf({}, ordinaryMachine)));

/** Environment variables by name. */
export const variables: ReadonlyMap<string, Place> = new Map(
  places.flatMap((setting) => (setting.variable ? [[setting.variable, setting]] : [])),
);

/** First words of names that only the gateway uses. An unknown name that begins like that is a mistake. */
const ownWords =
  'CORS FILTER FORWARD IDEMPOTENCY MAX PRODUCT_TRANSACTIONS SANDBOX SHUTDOWN TRUSTED_DOCUMENTS UPSTREAM'.split(' ');

/** Words of other programs resemble short ones: FILER_HOST. */
const isOwnWord = (words: string, own: string) => words === own || (own.length > 6 && isLike(words, own));

/** Kubernetes sets these for a Service that is called `upstream`, `sandbox` or `gateway`. */
const ofKubernetes =
  /_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|PORT=(tcp|udp|sctp):\/\/|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?=)/;

export function withoutServices(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => !ofKubernetes.test(`${name}=${value}`)),
  );
}

/** Mistakes in the names of variables: those of the file alone, those that nobody knows, and those that resemble one. */
export function unknownVariables(environment: NodeJS.ProcessEnv, fileName: string): string[] {
  const known = ['CONFIG', ...variables.keys()];
  const plain = (name: string) => name.toUpperCase().replace(/[._]/g, '');
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name)) return [];
    const upper = name.toUpperCase().replace(/^GATEWAY_/, '');
    const inFile = places.find(({ place, variable }) => !variable && plain(place) === plain(upper));
    if (inFile) return [`${name}: no variable; set ${inFile.place} in ${fileName}`];
    const beginnings = Array.from(name.matchAll(/_/g), ({ index }) => name.slice(0, index));
    const isOwn = name === 'UPSTREAM' || beginnings.some((words) => ownWords.some((own) => isOwnWord(words, own)));
    return isOwn || known.some((other) => isLike(upper, other)) ? [`${name}: ${unknownName(upper, known)}`] : [];
  });
}

/** A mistake in a name of the file, below the group `above`. */
export function unknownKey(name: string, above: readonly PropertyKey[]): string {
  const place = [...above, name].join('.');
  const filters = filterArguments.flatMap(([endpoint, names]) =>
    names.map((name) => `upstream.filters.${endpoint}.${name}`),
  );
  const known = groupsAnd([...places.map(({ place }) => place), ...filters]);
  const path = name.split('.');
  if (known.includes(place)) return `write it as ${path.join(': { ')}: …${' }'.repeat(path.length - 1)}`;
  const elsewhere = variables.get(name)?.place ?? known.find((other) => other.endsWith(`.${name}`));
  return elsewhere ? `there is no such setting; did you mean ${elsewhere}?` : unknownName(place, known);
}

function unknownName(name: string, known: readonly string[]): string {
  // Another name that shares a word alone would lead astray.
  const nearest = suggestionList(name, known).find((other) => isLike(name, other) || other.startsWith(name));
  return `there is no such setting; ${nearest === undefined ? 'docs/configuration.md lists them' : `did you mean ${nearest}?`}`;
}

/** Settings and the groups that they are in. */
function groupsAnd(settings: readonly string[]): string[] {
  const all = settings.flatMap((place) => place.split('.').map((_, end, path) => path.slice(0, end + 1).join('.')));
  return [...new Set(all)];
}
