/** Name of a type of the graph that shows objects of the service. */
export type Kind = string;

/** The target of a reference: a kind, or a union where the reference does not name the kind. */
export type Target = string;
