/** A file of the device, as its pickers and its camera name it. */
export interface DeviceFile {
  /** Where it is on the device, as in `file:///…/photo.jpg`. */
  uri: string;
  /** Android sends no form with a file that has none. */
  type: string;
  name: string;
}

export const isDeviceFile = (value: unknown): value is DeviceFile =>
  typeof value === 'object' && value !== null && 'uri' in value && 'type' in value && 'name' in value;

/** Letters that arrive as they are. React Native writes all others as `%20`, and the service keeps them so. */
export function plainName(name: string): string {
  const ascii = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return ascii.replaceAll(/[^\w.-]+/g, '_');
}
