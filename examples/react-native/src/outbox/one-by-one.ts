const last = new Map<string, Promise<unknown>>();

/** Does works of one name one after another. */
export function oneByOne<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const done = (last.get(name) ?? Promise.resolve()).then(work);
  last.set(
    name,
    done.catch(() => undefined),
  );
  return done;
}
