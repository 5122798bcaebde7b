interface Connection<Node> {
  edges: { node: Node }[];
}

/** The rows of a list, each once. A cursor is a position, and new rows shift the rows after them. */
export function nodesOf<Node extends { id: string }>(connection: Connection<Node> | null | undefined): Node[] {
  const byId = new Map(connection?.edges.map(({ node }) => [node.id, node]));
  return [...byId.values()];
}
