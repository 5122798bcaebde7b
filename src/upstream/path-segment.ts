/** An id is one segment of a path: an empty one or dots would name another endpoint, and half a character has no UTF-8. */
export function isPathSegment(id: string): boolean {
  return !/^\.*$/.test(id) && id.isWellFormed();
}
