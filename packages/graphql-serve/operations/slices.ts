import { inTurn, utf8Of } from '@gateway/base';

/** Characters that are made in one turn of the event loop: some milliseconds. */
const sliceCharacters = 256 * 1024;

/**
 * The JSON of a long value and a line break, made in slices: the gateway answers other requests in between. Undefined for
 * more bytes than `maxBytes`.
 */
export async function stringifyInSlices(value: unknown, maxBytes: number): Promise<Buffer | undefined> {
  const slices: Buffer[] = [];
  let bytes = 0;
  let text = '';
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length < sliceCharacters) continue;
    const slice = utf8Of(text);
    bytes += slice.length;
    if (bytes > maxBytes) return undefined;
    slices.push(slice);
    text = '';
    await new Promise<void>(inTurn);
  }
  slices.push(utf8Of(`${text}\n`));
  const whole = Buffer.concat(slices);
  return whole.length > maxBytes ? undefined : whole;
}

function* piecesOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || roomAfter(value, sliceCharacters) >= 0) {
    yield JSON.stringify(value);
  } else if (Array.isArray(value)) {
    yield '[';
    for (let start = 0, end = 0; start < value.length; start = end) {
      if (start > 0) yield ',';
      let room = sliceCharacters;
      for (; end < value.length; end += 1) {
        room = roomAfter(value[end], room);
        if (room < 0) break;
      }
      if (end > start) yield JSON.stringify(value.slice(start, end)).slice(1, -1);
      else yield* piecesOf(value[end++]);
    }
    yield ']';
  } else {
    let separator = '{';
    for (const [key, each] of Object.entries(value)) {
      if (each === undefined) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      yield* piecesOf(each);
      separator = ',';
    }
    yield '}';
  }
}

/** Counts the characters of the value, and stops below 0. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object' || value === null) return room - 5;
  let left = room;
  if (Array.isArray(value)) {
    for (const each of value) {
      left = roomAfter(each, left - 1);
      if (left < 0) break;
    }
  } else {
    for (const key in value) {
      left = roomAfter((value as Record<string, unknown>)[key], left - key.length - 4);
      if (left < 0) break;
    }
  }
  return left;
}
