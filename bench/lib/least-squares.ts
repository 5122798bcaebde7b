import { sum } from './statistics.ts';

/** How much y grows for each x, by least squares. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const meanX = sum(points.map(([x]) => x)) / points.length;
  const meanY = sum(points.map(([, y]) => y)) / points.length;
  const covariance = sum(points.map(([x, y]) => (x - meanX) * (y - meanY)));
  return covariance / sum(points.map(([x]) => (x - meanX) ** 2));
}
