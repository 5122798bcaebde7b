const databases = new Map<string, Map<string, string>>();

function databaseOf(name: string): Map<string, string> {
  const database = databases.get(name) ?? new Map();
  databases.set(name, database);
  return database;
}

export const RNAsyncStorage = {
  getValues: async (name: string, keys: string[]) =>
    keys.map((key) => ({ key, value: databaseOf(name).get(key) ?? null })),
  async setValues(name: string, values: { key: string; value: string }[]) {
    for (const { key, value } of values) databaseOf(name).set(key, value);
    return values;
  },
  async removeValues(name: string, keys: string[]) {
    for (const key of keys) databaseOf(name).delete(key);
  },
  getKeys: async (name: string) => [...databaseOf(name).keys()],
  clearStorage: async (name: string) => databaseOf(name).clear(),
};
