/** `Promise.withResolvers`, which Node 20 lacks. */
export function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: PromiseWithResolvers<T>['resolve'] | undefined;
  let reject: PromiseWithResolvers<T>['reject'] | undefined;
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve: resolve as NonNullable<typeof resolve>, reject: reject as NonNullable<typeof reject> };
}
