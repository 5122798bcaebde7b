import type { Place, Position } from './places-in-answer.ts';

/** A line of the graticule, with the degrees that it stands for. */
export interface GridLine {
  at: number;
  label: string;
}

/** Places on a drawing, in its own units. North is up. */
export interface MapView {
  width: number;
  height: number;
  point(position: Position): { x: number; y: number };
  meridians: GridLine[];
  parallels: GridLine[];
}

const width = 640;
const maxHeight = 640;
const minHeight = 240;
const margin = 44;

/** The smallest part of the earth that a map shows: about two kilometres. */
const minDegrees = 0.02;

/** Degrees between two lines. */
const steps = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];

/** An equirectangular map that shows all places. A degree of longitude is as wide as it is in the middle of the map. */
export function mapView(places: readonly Place[]): MapView {
  const positions = places.flatMap(({ at, rings }) => [at, ...rings.flat()]);
  const [west, east] = boundsOf(positions.map(([longitude]) => longitude));
  const [south, north] = boundsOf(positions.map(([, latitude]) => latitude));
  const shrink = Math.max(0.1, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const [degreesWide, degreesHigh] = [(east - west) * shrink, north - south];
  const height = Math.min(
    maxHeight,
    Math.max(minHeight, ((width - 2 * margin) * degreesHigh) / degreesWide + 2 * margin),
  );
  const scale = Math.min((width - 2 * margin) / degreesWide, (height - 2 * margin) / degreesHigh);
  const x = (longitude: number) => width / 2 + (longitude - (west + east) / 2) * shrink * scale;
  const y = (latitude: number) => height / 2 - (latitude - (south + north) / 2) * scale;
  const step = steps.findLast((degrees) => degrees * scale >= 90) ?? 30;
  const [halfWide, halfHigh] = [width / 2 / scale / shrink, height / 2 / scale];
  return {
    width,
    height,
    point: ([longitude, latitude]) => ({ x: x(longitude), y: y(latitude) }),
    meridians: lines((west + east) / 2, halfWide, 180, step, ['E', 'W']).map(({ at, label }) => ({ at: x(at), label })),
    parallels: lines((south + north) / 2, halfHigh, 90, step, ['N', 'S']).map(({ at, label }) => ({
      at: y(at),
      label,
    })),
  };
}

function boundsOf(degrees: readonly number[]): [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const each of degrees) [least, most] = [Math.min(least, each), Math.max(most, each)];
  const room = Math.max(0, minDegrees - (most - least)) / 2;
  return [least - room, most + room];
}

function lines(middle: number, half: number, most: number, step: number, [plus, minus]: [string, string]): GridLine[] {
  const first = Math.ceil(Math.max(-most, middle - half) / step);
  const last = Math.floor(Math.min(most, middle + half) / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const at = (first + index) * step;
    return { at, label: degreesText(at, [plus, minus]) };
  });
}

function degreesText(degrees: number, [plus, minus]: [string, string]): string {
  const size = Number(Math.abs(degrees).toFixed(3));
  return `${size}°${size === 0 ? '' : degrees > 0 ? plus : minus}`;
}

/** `6.72° N, 1.47° W`, with all digits of the answer. */
export function positionText([longitude, latitude]: Position): string {
  return `${Math.abs(latitude)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude)}° ${longitude < 0 ? 'W' : 'E'}`;
}
