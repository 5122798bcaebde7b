/** The service takes its internal numbers too, and answers the ids. */
export function isInternalNumber(id: string): boolean {
  return /^\d+$/.test(id);
}
