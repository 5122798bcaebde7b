import { type Change, CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/** Changes that queries which were valid may not live with, but for those that the changelog lists. */
export async function undeclaredChanges(released: string, current: string, changelog: string): Promise<string[]> {
  const declared = declaredIn(changelog);
  const before = buildSchema(released);
  const changes = await diff(before, buildSchema(current));
  const isNew = (place: string) => {
    const [type = '', field = ''] = place.split('.');
    const holder = before.getType(type);
    return !holder || !('getFields' in holder) || !(field in holder.getFields());
  };
  const isOfNewPart = (change: Change) => /^DIRECTIVE_USAGE/.test(change.type) && isNew(placeOf(change));
  return changes
    .filter((change) => isBreaking(change) && !isOfNewPart(change) && !declared.has(placeOf(change)))
    .map(({ path = '', message }) => `${path}: ${message}`);
}

/** Another bound may refuse inputs that were taken before. */
function isBreaking({ type, path = '', criticality }: Change): boolean {
  return (
    criticality.level === CriticalityLevel.Breaking || (/^DIRECTIVE_USAGE/.test(type) && /(^|[@.])length\b/.test(path))
  );
}

/** The field or type: what is said of an argument or a bound stands with its field. */
function placeOf({ path = '' }: Change): string {
  return path.replace(/@.*$/, '').split('.').filter(Boolean).slice(0, 2).join('.');
}

function declaredIn(changelog: string): Set<string> {
  const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## )/m.exec(changelog) ?? [];
  const [, breaking = ''] = /^### Breaking\n([\s\S]*?)(?=^###? |$(?![\s\S]))/m.exec(unreleased) ?? [];
  return new Set([...breaking.matchAll(/^- `([\w.]+)`/gm)].map(([, place = '']) => place));
}
