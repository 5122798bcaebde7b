import type { ContractPart } from '@gateway/contract/codegen';

/** The directive `@defer`, by the draft of the GraphQL specification. */
const deferContract: ContractPart = {
  name: 'defer',
  typeDefs: () => `
"The fields of the fragment may come later, where they take further calls of the service. The client has to accept an answer in parts."
directive @defer(
  "False: the fields come with the others."
  if: Boolean! = true
  "Names the part. Labels of one document differ."
  label: String
) on FRAGMENT_SPREAD | INLINE_FRAGMENT
`,
};

export default deferContract;
