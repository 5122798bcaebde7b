import Negotiator from 'negotiator';

const jsonType = 'application/json; charset=utf-8';
const graphqlType = 'application/graphql-response+json; charset=utf-8';

/** The media types of answers, in Apollo Server's order: a client that takes both alike gets the first. */
export const answerTypes = [jsonType, graphqlType];

/**
 * The HTTP status of an answer without data, as GraphQL over HTTP has it for the type of the answer. As
 * `application/graphql-response+json` it is never a success. Who asks for `application/json` by name may take every other
 * status than 200 for the word of a proxy: what was understood, and is only not run, is 200 there.
 */
export function refusalStatus(status: number, accept: string | undefined, isWellFormed: boolean): number {
  if (accept === undefined) return status;
  const type = new Negotiator({ headers: { accept } }).mediaType(answerTypes);
  if (type === graphqlType) return status < 400 ? 400 : status;
  return status === 400 && isWellFormed && /application\/json/i.test(accept) ? 200 : status;
}
