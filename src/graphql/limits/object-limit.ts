import type { GraphQLResolveInfo } from 'graphql';
import { codedError } from '../errors/codes.ts';
import type { ExtraErrors } from '../errors/extra-errors.ts';

/** An error takes as much of an answer as this many small objects. */
const objectsPerError = 10;

/**
 * Counts the objects of one answer. References are loaded once, but shown wherever a field asks for them. A short document
 * over people who manage companies who have members stands for more objects than any memory can store.
 */
export class ObjectLimit {
  readonly #max: number;
  readonly #errors: ExtraErrors;
  #used = 0;

  constructor(max: number, errors: ExtraErrors) {
    this.#max = max;
    this.#errors = errors;
  }

  /** False where the answer has no room left; the first time, QUERY_TOO_COMPLEX is put beside the data. */
  hasRoomFor(objects: number, info: GraphQLResolveInfo): boolean {
    const wasFull = this.#used > this.#max;
    this.#used += objects;
    if (this.#used <= this.#max) return true;
    if (!wasFull) {
      const message = `The answer holds more than ${this.#max} objects; what does not fit is null. Ask for fewer rows or levels.`;
      this.#errors.add(info, codedError('QUERY_TOO_COMPLEX', message));
    }
    return false;
  }

  hasRoomForError(info: GraphQLResolveInfo): boolean {
    return this.hasRoomFor(objectsPerError, info);
  }
}
