import type { Interceptor } from './request.ts';

/** Shows each attempt to the observer of the request: calls that were sent again appear one by one in a trace. */
export const observe: Interceptor = (next) => (request, done) => {
  if (!request.observer) return next(request, done);
  const end = request.observer(request);
  next(request, (error, response) => {
    end(error, response);
    done(error, response);
  });
};
