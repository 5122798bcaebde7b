import Negotiator from 'negotiator';

const jsonType = 'application/json; charset=utf-8';
const graphqlType = 'application/graphql-response+json; charset=utf-8';

/** The media types of answers, in Apollo Server's order. A client that accepts both alike gets the first. */
export const answerTypes = [jsonType, graphqlType];

/**
 * The HTTP status of an answer without data, by GraphQL over HTTP. `application/graphql-response+json` never has a success
 * status. A client that names `application/json` gets 200 for a well-formed document that is not run. Else the client might
 * take the answer for one of a proxy.
 */
export function refusalStatus(status: number, accept: string | undefined, isWellFormed: boolean): number {
  if (accept === undefined) return status;
  const type = new Negotiator({ headers: { accept } }).mediaType(answerTypes);
  if (type === graphqlType) return status < 400 ? 400 : status;
  return status === 400 && isWellFormed && /application\/json/i.test(accept) ? 200 : status;
}
