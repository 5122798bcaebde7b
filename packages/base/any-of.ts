/** The names as one text, such as `a, b, or c`. The first `Intl.ListFormat` of a process would load its data for 20 ms. */
export function anyOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 3 ? names.join(' or ') : `${names.slice(0, -1).join(', ')}, or ${last}`;
}
