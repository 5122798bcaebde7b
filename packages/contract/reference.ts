/** Name of a type of the graph that shows objects of the service. */
export type Kind = string;

/** The target of a reference: a kind, or a union where the reference does not name the kind. */
export type Target = string;

/** The root field that shows a type or a list: `Borrower` → `borrower`, `BookCopies` → `bookCopies`. */
export function rootFieldOf(noun: string): string {
  return noun.charAt(0).toLowerCase() + noun.slice(1);
}

/** The field with the id of a reference: `book` → `book_id`, `copies` → `copy_ids`, `movies` of a `Movie` → `movie_ids`. */
export function idFieldOf(field: string, { list, to }: Pick<Reference, 'list' | 'to'>): string {
  const noun = field.replace(/ies$/, to.endsWith('ie') ? 'ie' : 'y').replace(/(?<=ss|x|ch|sh|[^ao]us)es$|s$/, '');
  return list ? `${noun}_ids` : `${field}_id`;
}

export interface Reference {
  to: Target;
  /** The field holds a list of references. */
  list?: true;
  /** Another field of the same row that holds the object itself. */
  details?: string;
  /** Some answers have a label before the id, as in "Middlemarch - 1871 - JZMN42P4DX". */
  labelled?: true;
  /** Some services send a list. The object is the first of it in which this property is not false. */
  where?: string;
  /** Another field of the same row that embeds the object among others. */
  within?: string;
  /** The graph has no field `x_id` beside the object, because REST embeds the object. */
  noIdField?: true;
  /** The field with the objects of a list. The field itself keeps the ids. */
  objects?: string;
  /** The GET by id of the row embeds the object. Lists and writes answer its id. */
  expandedById?: true;
  /** Some answers embed the object, or a part of it. Others have its id. */
  mayBeEmbedded?: true;
  /** References of the same row that often embed the object. The gateway loads them before it scans the object's list. */
  loadAfter?: readonly string[];
  /** The kind of a union to ask for first. */
  probeFirst?: string;
  /** Another field of the same row names the kind of a union by its values. Objects of two kinds may then have one id. */
  kindBy?: { field: string; kinds: Readonly<Record<string, Kind>> };
}

/** Most answers embed the object, so that no call loads it. */
export function isEmbedded({ details, within, noIdField, expandedById }: Reference): boolean {
  return details !== undefined || within !== undefined || noIdField || expandedById || false;
}

/** Other references are ids in every answer. An unexpected object there costs one call. */
export function mayBeObject(reference: Reference): boolean {
  return isEmbedded(reference) || reference.mayBeEmbedded === true;
}
