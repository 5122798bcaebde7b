/** `Borrower` → `borrower`. */
export function fieldOfKind(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}
