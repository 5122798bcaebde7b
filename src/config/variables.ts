import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { basesOf, ordinaryMachine } from './bases.ts';
import { oldVariables } from './old-variables.ts';
import { placesIn } from './places.ts';
import { filterArguments, settingsSchema } from './schema.ts';

export interface Variable {
  /** Place of the value in the file. */
  place: string;
  /** The variable works for one more release. */
  isOld: boolean;
}

export const places = placesIn(settingsSchema(basesOf({}, ordinaryMachine)));

/** Environment variables by name. */
export const variables: ReadonlyMap<string, Variable> = new Map([
  ...places.flatMap(({ place, variable }): [string, Variable][] =>
    variable ? [[variable, { place, isOld: false }]] : [],
  ),
  ...Object.entries(oldVariables).map(([name, place]): [string, Variable] => [name, { place, isOld: true }]),
  ...filterArguments.flatMap(([endpoint, names]) =>
    names.map((name): [string, Variable] => [
      filterVariable(endpoint, name),
      { place: `upstream.filters.${endpoint}.${name}`, isOld: true },
    ]),
  ),
]);

/** `FILTER_FARMERS_FIRST_NAME` of `listFarmers` and `first_name`. */
function filterVariable(endpoint: string, argument: string): string {
  const list = endpoint.replace(/^list/, '').replace(/(?<!^)[A-Z]/g, '_$&');
  return `FILTER_${list}_${argument}`.toUpperCase();
}

/** Prefixes that only the gateway uses. An unknown name with such a prefix is a mistake. */
const ownPrefix =
  /^(CATALOG|CORS|FILTER|FORWARD|IDEMPOTENCY|MAX|PRODUCT_TRANSACTIONS|SANDBOX|SHUTDOWN|TRUSTED_DOCUMENTS|UPSTREAM)_/;

/** Kubernetes sets these for a Service that is called `upstream` or `sandbox`. */
const ofKubernetes = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/;

/** Mistakes in the names of variables. */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment)
    .filter((name) => ownPrefix.test(name) && !ofKubernetes.test(name) && !variables.has(name))
    .map((name) => `${name}: ${unknownName(name, [...variables.keys()])}`);
}

/** A mistake in a name of the file, below the group `above`. */
export function unknownKey(name: string, above: readonly PropertyKey[]): string {
  const place = [...above, name].join('.');
  const known = [...variables.values()].map(({ place }) => place).concat(places.map(({ place }) => place));
  const elsewhere = variables.get(name)?.place ?? known.find((other) => other.endsWith(`.${name}`));
  return elsewhere ? `there is no such setting; did you mean ${elsewhere}?` : unknownName(place, groupsAnd(known));
}

function unknownName(name: string, known: readonly string[]): string {
  const [nearest] = suggestionList(name, known);
  if (nearest === undefined) return 'there is no such setting; docs/configuration.md lists them';
  const old = variables.get(nearest);
  return `there is no such setting; did you mean ${nearest}${old?.isOld ? ` (${old.place} in gateway.yaml)` : ''}?`;
}

/** Settings and the groups that they are in. */
function groupsAnd(settings: readonly string[]): string[] {
  return [
    ...new Set(settings.flatMap((place) => place.split('.').map((_, end, names) => names.slice(0, end + 1).join('.')))),
  ];
}
