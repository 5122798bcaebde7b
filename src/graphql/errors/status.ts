import Negotiator from 'negotiator';

const jsonType = 'application/json; charset=utf-8';
const graphqlType = 'application/graphql-response+json; charset=utf-8';

/** The media types of answers, in Apollo Server's order. A client that accepts both alike gets the first. */
export const answerTypes = [jsonType, graphqlType];

/**
 * The HTTP status of an answer without data, by GraphQL over HTTP. `application/graphql-response+json` never has a success
 * status. A client that names `application/json` may take another status than 200 for the answer of a proxy. Such a client
 * gets 200 for a well-formed document that is not run.
 */
export function refusalStatus(status: number, accept: string | undefined, isWellFormed: boolean): number {
  if (accept === undefined) return status;
  const type = new Negotiator({ headers: { accept } }).mediaType(answerTypes);
  if (type === graphqlType) return status < 400 ? 400 : status;
  return status === 400 && isWellFormed && /application\/json/i.test(accept) ? 200 : status;
}
