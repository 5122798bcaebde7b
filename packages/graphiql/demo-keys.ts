/** The sandbox's keys, and their holders. */
export const demoKeys: ReadonlyMap<string, string> = new Map([
  ['demo-coop', 'the cooperative that farmers sell to'],
  ['demo-buyer', 'the company that buys from it'],
]);
