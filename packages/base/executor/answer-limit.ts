import type { GraphQLError } from 'graphql';
import { codedError } from '../errors/codes.ts';
import { inTurn } from '../in-turn.ts';

/** An error takes as much of an answer as this many small objects. */
export const objectsPerError = 10;

/** Characters that an answer may have before it asks for memory. */
const smallAnswer = 32 * 1024;

/** The objects take as much as their JSON. */
const bytesPerCharacter = 2;

/** Characters that are completed in one turn of the event loop: some milliseconds. */
const charactersPerTurn = 256 * 1024;

const charactersPerRefusedObject = 16;
/** An error takes as long as this much text: it is made twice, for its field and for its place. */
const charactersPerError = 1_024;

/** Errors that are made in one turn of the event loop. */
export const errorsPerTurn = charactersPerTurn / charactersPerError;

interface AnswerBounds {
  objects: number;
  answerBytes: number;
}

const unbounded: AnswerBounds = { objects: Number.POSITIVE_INFINITY, answerBytes: Number.POSITIVE_INFINITY };

/** Says why an operation does not get its memory. */
export const noMemory =
  'The operations that run hold as much as the gateway has memory for (limits.operations.memoryBytes).';

/**
 * Counts the objects and the characters of one answer while the executor makes it. References are loaded once, but shown
 * wherever a field asks for them. A short document can stand for more objects and texts than any memory can store.
 */
export class AnswerLimit {
  /** The error of all that does not fit, which stands beside the data. Undefined while everything fits. */
  refusal: Error | undefined;
  readonly #bounds: AnswerBounds;
  readonly #hold: (bytes: number) => boolean;
  #objects = 0;
  #characters = 0;
  #reserved = smallAnswer;
  #turnEnd = charactersPerTurn;

  /** `hold` takes memory for so many bytes, or says that there is none. */
  constructor(bounds = unbounded, hold: (bytes: number) => boolean = () => true) {
    this.#bounds = bounds;
    this.#hold = hold;
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

  #fits(count: number): boolean {
    const { objects } = this.#bounds;
    if (this.#objects + count <= objects) return true;
    this.refusal ??= tooComplex(
      `The answer has more than ${objects} objects (limits.operations.objects); what does not fit is null.`,
    );
    // A resolver has read the list that is refused: this takes time too.
    this.#turnEnd -= charactersPerRefusedObject * count;
    return false;
  }

  #reserve(): void {
    const { answerBytes } = this.#bounds;
    const reserved = Math.max(2 * this.#reserved, this.#characters);
    if (this.#characters > answerBytes) {
      this.refusal ??= tooComplex(`The answer has ${tooLong(answerBytes)}; what does not fit is null.`);
    } else if (this.#hold(bytesPerCharacter * (reserved - this.#reserved))) {
      this.#reserved = reserved;
      return;
    } else this.refusal ??= codedError('OVERLOADED', noMemory, { retry_after: 1 });
    throw this.refusal;
  }
}

/** The error in place of an answer that turns out too long when it is sent. */
export function answerTooLong(answerBytes: number): GraphQLError {
  return tooComplex(`The answer has ${tooLong(answerBytes)}.`);
}

const tooLong = (answerBytes: number) => `more than ${answerBytes} bytes (MAX_ANSWER_BYTES)`;

function tooComplex(message: string): GraphQLError {
  return codedError('QUERY_TOO_COMPLEX', `${message} Ask for fewer rows or levels.`);
}
