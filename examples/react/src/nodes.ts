interface Connection<Node> {
  edges: { node: Node }[];
}

/** The rows of a list, each once. Pages that the client reads anew may repeat rows. */
export function nodesOf<Node extends { id: string }>(connection: Connection<Node> | null | undefined): Node[] {
  const byId = new Map(connection?.edges.map(({ node }) => [node.id, node]));
  return [...byId.values()];
}
