const items = new Map<string, string>();

export const RNAsyncStorage = {
  legacy_multiGet: async (keys: string[]) => keys.map((key) => [key, items.get(key) ?? null]),
  async legacy_multiSet(entries: [string, string][]) {
    for (const [key, value] of entries) items.set(key, value);
  },
};
