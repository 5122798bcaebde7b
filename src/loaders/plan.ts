import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isCompositeType,
  type SelectionSetNode,
} from 'graphql';
import { isById } from './by-id.ts';
import type { Known } from './identity-map.ts';
import { idFieldOf, type Reference, references, referenceValue, requiredKeys } from './references.ts';

/** What an operation reads of the objects at one place, by the type that they may turn out to be. */
export interface Plan {
  byType: Map<string, TypePlan>;
  /** The selection gives another answer for another kind: it asks `__typename` or has fragments on object types. */
  kindMatters: boolean;
  /** The selection needs nothing of the object but what a bare reference already says. */
  needsNothing: boolean;
}

export interface TypePlan {
  /** What the object must hold: of each entry, one of the JSON keys. `id` is always held. */
  keys: readonly (readonly string[])[];
  references: readonly ReferencePlan[];
  embedded: readonly { key: string; plan: Plan }[];
}

export interface ReferencePlan {
  /** `Type.field` */
  name: string;
  field: string;
  reference: Reference;
  plan: Plan;
}

/** The parts of GraphQLResolveInfo that a plan is made from. */
export interface SelectionContext {
  schema: GraphQLSchema;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  variableValues: Readonly<Record<string, unknown>>;
}

export function planOf(context: SelectionContext, type: GraphQLOutputType, nodes: readonly FieldNode[]): Plan {
  const named = getNamedType(type);
  const sets = nodes.flatMap((node) => node.selectionSet ?? []);
  const plan: Plan = { byType: new Map(), kindMatters: false, needsNothing: true };
  if (!isCompositeType(named)) return plan;
  const types = isAbstractType(named) ? context.schema.getPossibleTypes(named) : [named];
  for (const objectType of types) {
    const selection = new Selection(context, objectType);
    for (const set of sets) selection.add(set);
    plan.byType.set(objectType.name, typePlan(context, objectType, selection.fields));
    plan.kindMatters ||= types.length > 1 && selection.dependsOnType;
  }
  plan.needsNothing = !plan.kindMatters && [...plan.byType.values()].every(({ keys }) => keys.length === 0);
  return plan;
}

/** What is known of an object answers the selection without a call. */
export function covers(known: Known, plan: TypePlan): boolean {
  if (known.complete) return true;
  const { data } = known;
  return (
    plan.keys.every((alternatives) => alternatives.some((key) => key in data)) &&
    plan.references.every(({ field, reference, plan: target }) => {
      const isBareId = reference.expandedById && typeof referenceValue(data, field, reference) === 'string';
      return !isBareId || target.needsNothing;
    })
  );
}

/** The fields selected on one concrete type, merged by name: aliases of a field read the same keys. */
class Selection {
  readonly fields = new Map<string, FieldNode[]>();
  dependsOnType = false;
  readonly #context: SelectionContext;
  readonly #type: GraphQLObjectType;
  readonly #visited = new Set<string>();

  constructor(context: SelectionContext, type: GraphQLObjectType) {
    this.#context = context;
    this.#type = type;
  }

  add(set: SelectionSetNode): void {
    for (const node of set.selections) {
      if (!this.#isIncluded(node)) continue;
      if (node.kind === 'Field') {
        this.#addField(node);
      } else if (node.kind === 'InlineFragment') {
        this.#addFragment(node.typeCondition?.name.value, node.selectionSet);
      } else if (!this.#visited.has(node.name.value)) {
        this.#visited.add(node.name.value);
        const fragment = this.#context.fragments[node.name.value];
        if (fragment) this.#addFragment(fragment.typeCondition.name.value, fragment.selectionSet);
      }
    }
  }

  #addField(node: FieldNode): void {
    const name = node.name.value;
    if (name === '__typename') this.dependsOnType = true;
    const nodes = this.fields.get(name);
    if (nodes) nodes.push(node);
    else this.fields.set(name, [node]);
  }

  #addFragment(condition: string | undefined, set: SelectionSetNode): void {
    const type = condition === undefined ? this.#type : this.#context.schema.getType(condition);
    if (type === this.#type) {
      this.dependsOnType ||= condition !== undefined;
      this.add(set);
    } else if (isAbstractType(type) && this.#context.schema.isSubType(type, this.#type)) {
      this.add(set);
    }
  }

  #isIncluded(node: Parameters<typeof getDirectiveValues>[1]): boolean {
    const { variableValues } = this.#context;
    if (!node.directives?.length) return true;
    const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues);
    const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues);
    return skip?.if !== true && include?.if !== false;
  }
}

function typePlan(
  context: SelectionContext,
  type: GraphQLObjectType,
  fields: ReadonlyMap<string, readonly FieldNode[]>,
): TypePlan {
  const keys: (readonly string[])[] = [];
  const referencePlans: ReferencePlan[] = [];
  const embeddedPlans: { key: string; plan: Plan }[] = [];
  const roles = rolesOf(type.name);
  for (const [name, nodes] of fields) {
    const definition = type.getFields()[name];
    if (!definition || name === 'id') continue;
    const role = roles.get(name);
    const required = requiredKeys[type.name]?.[name];
    if (role?.isLeaf) {
      keys.push(role.keys);
    } else if (role) {
      const plan = planOf(context, definition.type, nodes);
      const { reference, field } = role;
      referencePlans.push({ name: `${type.name}.${name}`, field, reference, plan });
      // An object that cannot be asked for by id must be in the row itself, if it is to be had at all.
      const embeddedIn = reference.within ?? reference.details;
      const isOnlyEmbedded = embeddedIn !== undefined && !isById(reference.to) && !plan.needsNothing;
      keys.push(isOnlyEmbedded ? [embeddedIn] : role.keys);
    } else if (required) {
      keys.push(...required);
    } else {
      keys.push([name]);
      if (isCompositeType(getNamedType(definition.type))) {
        embeddedPlans.push({ key: name, plan: planOf(context, definition.type, nodes) });
      }
    }
  }
  return { keys, references: referencePlans, embedded: embeddedPlans };
}

interface Role {
  field: string;
  reference: Reference;
  /** The field gives the raw id. */
  isLeaf: boolean;
  keys: readonly string[];
}

const rolesByType = new Map<string, Map<string, Role>>();

/** Field of the graph → the reference that it shows: `x`, `x_id` and `x_details` show the same one. */
function rolesOf(type: string): Map<string, Role> {
  let roles = rolesByType.get(type);
  if (!roles) {
    roles = new Map();
    for (const [field, reference] of Object.entries(references[type] ?? {})) {
      const keys = reference.details === undefined ? [field] : [reference.details, field];
      roles.set(field, { field, reference, isLeaf: false, keys });
      if (reference.details !== undefined) roles.set(reference.details, { field, reference, isLeaf: false, keys });
      if (!reference.noIdField) roles.set(idFieldOf(field, reference), { field, reference, isLeaf: true, keys });
    }
    rolesByType.set(type, roles);
  }
  return roles;
}
