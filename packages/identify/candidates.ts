import { anyOf, codedError, type Field, fieldOf, type Json } from '@gateway/base';
import { contractOf } from '@gateway/contract';
import {
  checkBounds,
  plannedRoot,
  planOf,
  ReferenceLoader,
  type RequestContext,
  type RootCall,
  type RootPlan,
  requireKey,
  withCodes,
} from '@gateway/rest-graph';
import type { GraphQLResolveInfo } from 'graphql';
import { CandidateSearch } from './candidate-search.ts';
import type { CandidateField, Comparison } from './data.ts';
import { textOf } from './entries.ts';
import { fieldOfKind } from './field-of-kind.ts';
import { dataOf } from './holders.ts';
import { keyOf } from './likeness.ts';

interface CandidateArgs {
  input: Readonly<Record<string, string | null>>;
}

interface CandidatePlan extends RootPlan {
  /** The comparisons for which the client has given a text. */
  asked: ReadonlyMap<string, Comparison>;
}

/** Candidates of a search, about. */
const usualCandidates = 2;

/** Finds objects like the one that the client describes. */
export const candidates = { resolve: readCandidates, extensions: { plan } };

function plan(field: Field, args: CandidateArgs): CandidatePlan {
  const { name, parentType, tree } = field;
  const contract = contractOf(tree.schema);
  checkBounds({ schema: tree.schema, parentType, fieldName: name }, args);
  const { list, compares } = dataOf(contract).candidates[name] as CandidateField;
  const asked = new Map(Object.entries(compares).filter(([, { of, as }]) => keyOf[as](textOf(args.input, of)) !== ''));
  if (asked.size === 0) {
    const given = anyOf(Object.values(compares).flatMap(({ of }) => of));
    const message = `\`input\` has nothing to compare. Give ${given}.`;
    throw codedError('BAD_USER_INPUT', message, { fields: [{ path: ['input'], message }], http: { status: 400 } });
  }
  const plan = planOf(field);
  const call: RootCall = { plan, how: 'look', endpoint: list, filters: {}, objects: usualCandidates, mayBeKnown: true };
  return { objects: 1 + usualCandidates * plan.objects, calls: [call], asked };
}

async function readCandidates(
  _parent: unknown,
  args: CandidateArgs,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Json> {
  requireKey(context);
  const { asked } = plannedRoot(plan, args, context, info);
  const field = fieldOf(info);
  const data = dataOf(context.loaders.contract);
  const search = new CandidateSearch(field, { data, asked, input: args.input }, context);
  const { candidates, ...found } = await withCodes(() => search.find());
  context.answer.requireRoomFor(candidates.length);
  const { kind } = data.candidates[field.name] as CandidateField;
  const rows = candidates.map(({ row, agree }) => ({ [fieldOfKind(kind)]: row, agree }));
  const result: Json = { candidates: rows, ...found };
  const [typePlan] = planOf(field).byType.values();
  await new ReferenceLoader(context.loaders).resolveAll([{ object: result, plan: typePlan }]);
  context.scope.requireClient();
  return result;
}
