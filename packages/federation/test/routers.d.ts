/** Types of routers.js, whose packages are installed in this folder alone. */

export interface Subgraph {
  name: string;
  url: string;
  sdl: string;
}

export interface Started {
  url: string;
  close(): Promise<void>;
}

type Resolver = (...args: never[]) => unknown;

export function compose(subgraphs: readonly Subgraph[]): string;
export function startSubgraph(
  name: string,
  sdl: string,
  resolvers: Readonly<Record<string, Readonly<Record<string, Resolver>>>>,
): Promise<Subgraph & Started>;
export function startApolloGateway(supergraph: string): Promise<Started>;
export function startHiveGateway(supergraph: string, options?: { planner?: 'own' | 'router' }): Promise<Started>;
