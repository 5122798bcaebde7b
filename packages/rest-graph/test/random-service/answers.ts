import { Chance } from './chance.ts';
import { isMatch, valueFilters } from './value-filters.ts';
import { type Caller, isBeside, isSeen, kindOf, propertyOf, type Reference, type Thing, type World } from './world.ts';

interface Request {
  method: string;
  path: string;
  caller: Caller;
  body: unknown;
}

type Json = Record<string, unknown>;

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** The deepest object that an answer embeds. */
const deepest = 3;

/** The answer of the service. It shows an object in the same way at each read, and parts of the objects that it embeds. */
export function answerTo(world: World, { method, path, caller, body }: Request): Answer {
  const { pathname, searchParams } = new URL(path, 'http://service');
  const [, name = '', id] = pathname.split('/');
  const kind = world.kinds.find((each) => each.name === name);
  const things = (world.things.get(name) ?? []).filter((thing) => isSeen(thing, caller));
  if (id === undefined && kind?.isListed) {
    const isAll = kind.lists === 'all';
    const limit = isAll ? things.length : Math.min(Number(searchParams.get('limit')), world.largestPage);
    const place = Number(searchParams.get('place'));
    const offset = world.firstPage === undefined || isAll ? place : (place - world.firstPage) * limit;
    const asked = [...searchParams].filter(([parameter]) => world.hasFilters && parameter.startsWith('of_'));
    const isAsked = ({ refers }: Thing) =>
      asked.every(([parameter, value]) => refers[parameter.slice('of_'.length)]?.id === value);
    const bounds = world.hasFilters ? valueFilters.filter(({ name }) => searchParams.has(name)) : [];
    const isInBounds = (thing: Thing) =>
      bounds.every((filter) => isMatch(filter, thing, searchParams.get(filter.name) ?? ''));
    const matching = things.filter((thing) => isAsked(thing) && isInBounds(thing));
    const rows = matching.slice(offset, offset + limit).map((thing) => show(thing, kind.isShort ? 'row' : 'whole'));
    if (kind.lists === 'page') return { status: 200, body: { total: matching.length, rows } };
    return { status: 200, body: rows, ...(!isAll && { headers: { 'x-total': String(matching.length) } }) };
  }
  const thing = things.find((each) => each.id === id);
  if (!kind?.isGiven || !thing) {
    const hidden = world.things.get(name)?.find((each) => each.id === id)?.hidden;
    return { status: hidden?.status ?? 404, body: { detail: 'Not found.' } };
  }
  if (method === 'PATCH') {
    Object.assign(thing, body);
    if (kind.writes === 'nothing') return { status: 204, body: undefined };
    if (kind.writes === 'changes') return { status: 200, body: { ...keyOf(thing), ...(body as Json) } };
  }
  return { status: 200, body: show(thing, 'whole') };

  function idOf({ id }: Thing): unknown {
    return world.hasNumbers ? Number(id) : id;
  }

  /** Beside another key, an object has an id that nothing refers to. */
  function keyOf(thing: Thing): Json {
    return { ...(world.key !== 'id' && { id: `row ${thing.id}` }), [world.key]: idOf(thing) };
  }

  function show(thing: Thing, as: 'whole' | 'row' | 'part', depth = 0, chance = new Chance(Number(thing.id))): Json {
    const kind = kindOf(world, thing);
    const shown: Json = keyOf(thing);
    const { name, size, made, isOpen, place } = thing;
    const all: Json = { name, view: viewOf(thing, caller), made, isOpen, size, place };
    if (thing.lines)
      all.lines = thing.lines.map(({ text, target }) => {
        const mayEmbed = kind.isGiven && kind.lineTo?.mayBeEmbedded && depth < deepest;
        const isEmbedded = target && isSeen(target, caller) && mayEmbed && chance.is(0.6);
        return {
          text,
          of: isEmbedded ? show(target, chance.is(0.3) ? 'whole' : 'part', depth + 1, chance) : target && idOf(target),
        };
      });
    for (const [index, reference] of kind.references.entries()) {
      const properties = referring(thing, reference, depth, chance);
      if (as !== 'row' || index > 0) Object.assign(all, properties);
    }
    if (as === 'row') for (const lacked of ['size', 'place', 'lines']) delete all[lacked];
    const isPart = as === 'part' && kind.isGiven;
    for (const [property, value] of Object.entries(all)) if (!isPart || chance.is(0.7)) shown[property] = value;
    // An object inside a part may be a part too.
    if (isPart && shown.place && chance.is(0.4)) shown.place = { city: place?.city };
    return shown;
  }

  function referring(thing: Thing, reference: Reference, depth: number, chance: Chance): Json {
    const { field, isList, style, isNamed } = reference;
    if (isList) return { [field]: thing.refersToAll[field]?.map(idOf) };
    const target = thing.refers[field] ?? null;
    // The gateway caches the rows of a kind without a GET. Writes of the other caller would leave what they embed as it was.
    const mayEmbed = kindOf(world, thing).isGiven && depth < deepest;
    const isEmbedded = target && isSeen(target, caller) && mayEmbed && chance.is(0.6);
    const isInPlace = style === 'object' && !isBeside(world, reference);
    const object = isEmbedded ? show(target, chance.is(0.3) ? 'whole' : 'part', depth + 1, chance) : undefined;
    return {
      [propertyOf(world, reference)]: target && ((isInPlace && object) || idOf(target)),
      ...(isBeside(world, reference) && object && { [field]: object }),
      ...(style === 'details' && object && { [`${field}_details`]: object }),
      ...(isNamed && { [`${field}_kind`]: target && `is ${target.kind}` }),
    };
  }
}

/** A property that differs by caller. */
export function viewOf({ kind, id }: Thing, caller: Caller): string {
  return `${kind} ${id} for ${caller}`;
}
