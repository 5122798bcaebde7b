/** Stores the records of writes: texts by id, each until it expires. */
export interface RecordStore {
  /** Stores the text unless the id has one, in one atomic step. Resolves to the text that was there before. */
  claim(id: string, text: string): Promise<string | undefined>;
  set(id: string, text: string): Promise<void>;
  /** Given a text, removes the id only where it still has that text. */
  remove(id: string, text?: string): Promise<void>;
  close(): Promise<void>;
}
