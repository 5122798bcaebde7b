import type { Interceptor } from './request.ts';

/** Shows each attempt to the observer of the request, so that a trace lists retries as calls. */
export const observe: Interceptor = (next) => (request, done) => {
  if (!request.observer) return next(request, done);
  const attempt = request.observer.begin(request);
  next(request, (error, response) => {
    attempt.finish(error, response);
    done(error, response);
  });
};
