import type { Field, Json } from '@gateway/base';
import type { Kind, ListEndpointName } from '@gateway/contract';
import type { Loaders } from '../load/loaders.ts';
import type { TypePlan } from './plan.ts';
import type { Cost } from './planner.ts';

/** The figures by which a field says what it costs. */
export interface CostModel {
  nothing: Cost;
  /** Reads of which each waits for the one before. */
  inTurn(costs: readonly Cost[]): Cost;
  /** Objects of a kind by their ids. */
  objects(kind: Kind, count: number): Cost;
  /** References of so many objects. */
  below(plan: TypePlan | undefined, objects: number): Cost;
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
  /** Objects below the field, in each object that has it. */
  objects: number;
  /** The selection below the field. */
  below: TypePlan | undefined;
  /** @throws BAD_USER_INPUT for arguments that it refuses. */
  check?(maxPageSize: number): void;
  /** The cost for so many objects, with all that is below. */
  cost(model: CostModel, objects: number): Cost;
  /** Rejects where the service does not give what the value needs. */
  load(object: Json & { id: string }, loaders: Loaders): Promise<Derived>;
}

/** Plans the field. It stands in the extensions of the field, beside its resolver, which reads what was loaded. */
export type PlanDerived = (field: Field) => DerivedPlan;
