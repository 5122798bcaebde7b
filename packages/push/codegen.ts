import { readFileSync } from 'node:fs';
import { type Contract, type ContractPart, conditionArgument, type Endpoint, words } from '@gateway/contract/codegen';

/** The field `push`, and its types. */
const pushContract: ContractPart = {
  name: 'push',
  mistakesIn: (contract) =>
    writesIn(contract).length > 0 ? [] : ['paths: no write has a JSON body, which the part `push` needs'],
  typeDefs: (contract) => readFileSync(new URL('push.graphql', import.meta.url), 'utf8') + writesSdl(contract),
};

export default pushContract;

/** The endpoints with a JSON body. An object that is made below another one has its own field alone. */
function writesIn({ endpoints }: Contract): Endpoint[] {
  return endpoints.filter(({ body, id, method }) => body && !(id && (method === 'POST' || id['x-argument'])));
}

/** The writes that `push` takes, and the objects that it gives. */
function writesSdl(contract: Contract): string {
  const writes = writesIn(contract);
  const members = writes.map((write) => `  ${JSON.stringify(write.description)}\n  ${write.name}: ${inputOf(write)}\n`);
  const kinds = new Set(writes.map(({ kind }) => kind));
  return `"One write of one kind."
input Write @oneOf {
${members.join('')}}

${writes
  .filter(({ id }) => id)
  .map(updateSdl)
  .join('')}"The object that a write has made or changed."
union WrittenObject = ${[...kinds].join(' | ')}
`;
}

function inputOf(write: Endpoint): string {
  return write.id ? updateOf(write) : (write.body?.input ?? '');
}

function updateOf({ name }: Endpoint): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Write`;
}

function updateSdl(write: Endpoint): string {
  const { kind, body } = write;
  const condition = conditionArgument(write).map((lines) => lines.map((line) => `  ${line}\n`).join(''));
  return `"Changes to one ${words(kind)}."
input ${updateOf(write)} {
  "Id of the ${words(kind)}, or the ref of an earlier write."
  id: ID!
  ${JSON.stringify(body?.description)}
  input: ${body?.input}!
${condition.join('')}}

`;
}
