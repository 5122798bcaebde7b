import type { Field, Json } from '@gateway/base';
import type { DialectName, Kind, ListEndpointName, Target } from '@gateway/contract';
import type { Row } from '@gateway/upstream';
import type { Loaders, PlacedReference } from '../load/loaders.ts';
import type { Cost } from './planner.ts';

/** The properties that an operation reads of the objects at one place, by their possible types. */
export interface Plan extends Below {
  byType: Map<string, TypePlan>;
  /** The answer depends on the kind, because of `__typename` or a fragment on an object type. */
  kindMatters: boolean;
  /** The id and the kind of the object answer the selection. */
  kindSuffices: boolean;
  /** The id of the object answers the selection. */
  needsNothing: boolean;
}

export interface TypePlan extends Below {
  /** Objects with this selection, and all objects inside them, have all that it needs. */
  isLeaf: boolean;
  /** The kind of objects whose rows may lack some of the selection. */
  lacking?: string | undefined;
  /** JSON keys that the object must have: one key of each entry, and `id`. */
  keys: readonly (readonly string[])[];
  /** Further keys, which only services of a dialect have. */
  onlyIn?: readonly { key: string; dialect: DialectName }[];
  references: readonly ReferencePlan[];
  embedded: readonly EmbeddedPlan[];
  derived: readonly DerivedPlan[];
}

/** The selection below one object, at any depth. */
export interface Below {
  /** Objects: the rows that arguments ask for, and about as many others as there usually are. */
  objects: number;
  /** Derived fields at any depth, whose arguments are to be checked. */
  checked: readonly DerivedPlan[];
}

/** Objects at one place of another object. */
interface Part {
  /** Objects at the place, in each object. */
  items: number;
  plan: Plan;
}

export interface EmbeddedPlan extends Part {
  key: string;
  /** The type or the field that holds them, and their field. Undefined for a range of rows, whose number the arguments say. */
  name: string | undefined;
}

export interface ReferencePlan extends Part, PlacedReference {
  field: string;
  /** The place of the objects of each kind, where the row names it. */
  byKind?: ReadonlyMap<Target, ReferencePlan>;
}

/** The figures by which a field says what it costs. */
export interface CostModel {
  /** Objects of a kind by their ids, of which each load waits for the one before. */
  objects(kind: Kind, counts: readonly number[]): Cost;
  /** Rows of a list that refer to each of so many objects. `by`: the parameter that asks for those of one. */
  rowsOf(list: ListEndpointName, by: string | undefined, objects: number, limit: number): Cost;
  /** All rows of a list, as far as the gateway looks. */
  everyRow(list: ListEndpointName): Cost;
}

/** The value of a field, and the objects in it whose references the operation needs. */
export interface Derived {
  value: object;
  objects: readonly { object: Json; plan: TypePlan | undefined }[];
}

/** A field whose value follows from lists and references, in one place of an operation. */
export interface DerivedPlan {
  field: Field;
  /** `Type.field`. Calls for the field have this name. */
  name: string;
  /** Objects below the field, in each object that has it. */
  objects: number;
  /** The selection below the field. */
  below: TypePlan | undefined;
  /** Objects with this selection, in each object that has the field. */
  items: number;
  /** @throws BAD_USER_INPUT for arguments that it refuses. */
  check?(maxPageSize: number): void;
  /** The cost of what the field itself reads for so many objects. */
  cost(model: CostModel, objects: number): Cost;
  /** Rejects where the service does not give what the value needs. */
  load(object: Row, loaders: Loaders): Promise<Derived>;
}

/** Plans the field. It stands in the extensions of the field, beside its resolver, which reads what was loaded. */
export type PlanDerived = (field: Field) => DerivedPlan;
