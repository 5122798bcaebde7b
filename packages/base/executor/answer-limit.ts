import { inTurn } from '../in-turn.ts';

/** An error takes as much of an answer as this many small objects. */
export const objectsPerError = 10;

/** Characters that an answer may have before it asks for memory. */
const smallAnswer = 32 * 1024;

/** Characters that are completed in one turn of the event loop: some milliseconds. */
const charactersPerTurn = 256 * 1024;

const charactersPerRefusedObject = 16;
/** An error takes as long as this much text: it is made twice, for its field and for its place. */
const charactersPerError = 1_024;

/** Errors that are made in one turn of the event loop. */
export const errorsPerTurn = charactersPerTurn / charactersPerError;

export interface AnswerBounds {
  objects: number;
  bytes: number;
  /** Takes memory for more characters of the answer; false if there is none. */
  hold(characters: number): boolean;
  /** The error that stands beside the data if something does not fit. */
  refuse(what: 'objects' | 'bytes' | 'memory'): Error;
}

const unbounded: AnswerBounds = {
  objects: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  hold: () => true,
  refuse: (what) => new Error(what),
};

/**
 * Counts the objects and the characters of one answer while the executor makes it. References are loaded once, but shown
 * wherever a field asks for them. A short document can stand for more objects and texts than any memory can store.
 */
export class AnswerLimit {
  /** The error of all that does not fit. Undefined while everything fits. */
  refusal: Error | undefined;
  readonly #bounds: AnswerBounds;
  #objects = 0;
  #characters = 0;
  #reserved = smallAnswer;
  #turnEnd = charactersPerTurn;

  constructor(bounds: AnswerBounds = unbounded) {
    this.#bounds = bounds;
  }

  /** About as many as the JSON has: it has more for escapes and long numbers. */
  get characters(): number {
    return this.#characters;
  }

  /** The objects of a list come together, so that the list is shown whole. Throws the refusal. */
  addObjects(count: number): void {
    this.requireRoomFor(count);
    this.#objects += count;
  }

  /** Throws the refusal. */
  addText(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.#reserved) this.#reserve();
  }

  /** False if the error does not fit. */
  addError(): boolean {
    if (!this.#fits(objectsPerError)) return false;
    this.#objects += objectsPerError;
    this.#turnEnd -= charactersPerError;
    return true;
  }

  /** Throws the refusal for a list that would not fit as a whole. */
  requireRoomFor(objects: number): void {
    if (!this.#fits(objects)) throw this.refusal;
  }

  /** The executor has completed so much that others should have their turn. */
  get isLong(): boolean {
    return this.#characters > this.#turnEnd;
  }

  /** Resolves in a later turn of the event loop. */
  pause(): Promise<void> {
    this.#turnEnd = this.#characters + charactersPerTurn;
    return new Promise(inTurn);
  }

  #fits(objects: number): boolean {
    const isFitting = this.#objects + objects <= this.#bounds.objects;
    if (isFitting) return true;
    this.refusal ??= this.#bounds.refuse('objects');
    // A resolver has read the list that is refused: this takes time too.
    this.#turnEnd -= charactersPerRefusedObject * objects;
    return false;
  }

  #reserve(): void {
    const { bytes, hold, refuse } = this.#bounds;
    const reserved = Math.max(2 * this.#reserved, this.#characters);
    if (this.#characters > bytes) this.refusal ??= refuse('bytes');
    else if (hold(reserved - this.#reserved)) {
      this.#reserved = reserved;
      return;
    } else this.refusal ??= refuse('memory');
    throw this.refusal;
  }
}
