/** Mistakes in the document or in the SDL, each with its place. */
export class ContractError extends Error {
  /** The types that the SDL lacks. */
  declare readonly sdl?: string;

  constructor(mistakes: Iterable<string>, sdl?: string) {
    super(`The contract has mistakes:\n${[...mistakes].join('\n')}`);
    if (sdl !== undefined) this.sdl = sdl;
  }
}
