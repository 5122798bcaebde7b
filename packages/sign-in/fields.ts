import { currentRequest } from '@gateway/graphql-serve';
import { type RequestContext, type SchemaPart, withCodes } from '@gateway/rest-graph';
import { GraphQLError, GraphQLScalarType } from 'graphql';
import { noSignIn } from './no-sign-in.ts';
import { signInOf } from './opened.ts';
import type { Credentials, SignIn, Tokens } from './sign-in.ts';

const asVariable = 'Send it in a variable: documents are cached.';

/** No error quotes the value. */
const Secret = new GraphQLScalarType<string>({
  name: 'Secret',
  description: 'A text that only the service may see.',
  serialize() {
    throw new GraphQLError('A secret is not shown.');
  },
  parseValue(value) {
    if (typeof value !== 'string' || value === '') throw new GraphQLError('A secret is a text.');
    return value;
  },
  parseLiteral(node) {
    throw new GraphQLError(asVariable, { nodes: [node] });
  },
});

const typeDefs = `
  scalar Secret
  """
  A token for the header of the API key, and another one that gives the next pair.
  """
  type Tokens {
    token: String!
    refreshToken: String!
    "By the clock of the service. Null where the token does not say."
    expiresAt: DateTime
    "Seconds from the answer on."
    expiresIn: Int
  }
  extend type Mutation {
    """
    Signs a user in. \`POST /sign-in\` does the same. An \`Idempotency-Key\` does not count: the tokens are stored nowhere.
    """
    signIn(username: String!, password: Secret!, "The device that the tokens are for: by default a new one." device: String): Tokens
    """
    Gives the next pair of tokens. The service may take each refresh token once.
    """
    refreshToken(refreshToken: Secret!): Tokens
  }`;

/** The route as fields of Mutation, for apps that must send all requests to the address of GraphQL. */
export const signInFields: SchemaPart = {
  typeDefs,
  resolvers: {
    Secret,
    Mutation: {
      signIn: (_parent: unknown, credentials: Credentials, context: RequestContext) =>
        tokensOf(context, (signIn, address) => signIn.signIn(credentials, address)),
      refreshToken: (_parent: unknown, { refreshToken }: { refreshToken: string }, context: RequestContext) =>
        tokensOf(context, (signIn, address) => signIn.refresh(refreshToken, address)),
    },
  },
};

function tokensOf(
  { service }: RequestContext,
  give: (signIn: SignIn, address: string | undefined) => Promise<Tokens>,
): Promise<Tokens> {
  return withCodes(async () => {
    const signIn = signInOf(service);
    if (!signIn) throw noSignIn();
    return give(signIn, currentRequest.getStore()?.address);
  });
}
