import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { basesOf, ordinaryMachine } from './bases.ts';
import { isLike } from './like-names.ts';
import { formerVariables, oldVariables } from './old-variables.ts';
import { placesIn } from './places.ts';
import { settingsSchema } from './schema.ts';
import { filterArguments } from './upstream-settings.ts';

export interface Variable {
  /** Place of the value in the file. */
  place: string;
  /** The variable works for one more release. */
  isOld: boolean;
  readsEmpty?: true | undefined;
}

export const places = placesIn(settingsSchema(basesOf({}, ordinaryMachine)));

/** Environment variables by name. */
export const variables: ReadonlyMap<string, Variable> = new Map([
  ...places.flatMap(({ place, variable, readsEmpty }): [string, Variable][] =>
    variable ? [[variable, { place, isOld: false, readsEmpty }]] : [],
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

/** Names that only the gateway uses. An unknown one is a mistake. */
const ownName =
  /^(UPSTREAM$|(CATALOG|CORS|FILTER|FORWARD|IDEMPOTENCY|MAX|PRODUCT_TRANSACTIONS|SANDBOX|SHUTDOWN|TRUSTED_DOCUMENTS|UPSTREAM)_)/;

/** Kubernetes sets these for a Service that is called `upstream`, `sandbox` or `gateway`. */
const ofKubernetes =
  /_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|PORT=(tcp|udp|sctp):\/\/|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?=)/;

export function withoutServices(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => !ofKubernetes.test(`${name}=${value}`)),
  );
}

/** Mistakes in the names of variables: those of the gateway that it does not know, and those that resemble one. */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = ['CONFIG', ...variables.keys(), ...formerVariables];
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name)) return [];
    const upper = name.toUpperCase().replace(/^GATEWAY_/, '');
    const isMistake = ownName.test(name) || known.some((other) => isLike(upper, other));
    return isMistake ? [`${name}: ${unknownName(upper, known)}`] : [];
  });
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
