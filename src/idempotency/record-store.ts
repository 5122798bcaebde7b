/** Where is written down which writes have been made: texts by id, each for as long as the store keeps what it is given. */
export interface RecordStore {
  /** Writes it down unless the id has a text; in one step, whoever else tries. Resolves to the text that was there before. */
  claim(id: string, text: string): Promise<string | undefined>;
  set(id: string, text: string): Promise<void>;
  /** With a text: only where the id still has it. */
  remove(id: string, text?: string): Promise<void>;
  close(): Promise<void>;
}
