import { Observable, useObservable } from './observable.ts';

interface Notice {
  text: string;
  /** A problem stays until its reader closes it. */
  isProblem: boolean;
}

const shownMs = 6_000;

const current = new Observable<Notice | undefined>(undefined);

export function notify(text: string, { isProblem = false } = {}): void {
  const notice = { text, isProblem };
  current.set(notice);
  const isCurrent = () => current.get() === notice;
  if (!isProblem) setTimeout(() => isCurrent() && current.set(undefined), shownMs);
}

/** The last sentence to the user, above the lower edge of the page. GraphiQL gives its tooltips the colours of the theme. */
export function Notices() {
  const notice = useObservable(current);
  return (
    <>
      <div role="status">
        {notice && !notice.isProblem && <p className="graphiql-tooltip gateway-notice">{notice.text}</p>}
      </div>
      <div role="alert">
        {notice?.isProblem && (
          <p className="graphiql-tooltip gateway-notice gateway-problem">
            {notice.text}{' '}
            <button type="button" className="graphiql-button" onClick={() => current.set(undefined)}>
              Close
            </button>
          </p>
        )}
      </div>
    </>
  );
}
