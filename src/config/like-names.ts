/** True for a name that a person may have mistyped. One letter in five may be missing, added, wrong or swapped with the next. */
export function isLike(name: string, meant: string): boolean {
  const mostEdits = Math.floor(meant.length / 5);
  return Math.abs(name.length - meant.length) <= mostEdits && edits(name, meant) <= mostEdits;
}

/** The Damerau-Levenshtein distance, row by row of its table. */
function edits(name: string, meant: string): number {
  let above: number[] = [];
  let row = Array.from({ length: meant.length + 1 }, (_, column) => column);
  for (let at = 1; at <= name.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= meant.length; to += 1) {
      const isSwapped = at > 1 && to > 1 && name[at - 1] === meant[to - 2] && name[at - 2] === meant[to - 1];
      next[to] = Math.min(
        (row[to] as number) + 1,
        (next[to - 1] as number) + 1,
        (row[to - 1] as number) + (name[at - 1] === meant[to - 1] ? 0 : 1),
        isSwapped ? (above[to - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [above, row] = [row, next];
  }
  return row[meant.length] as number;
}
