import { type FormEvent, useId, useRef, useState } from 'react';
import { useObservable } from './observable.ts';
import { signedIn, signIn, signOut } from './signed-in.ts';

/** The user of this tab: a form to sign in, or who is signed in. */
export function SignInForm() {
  const user = useObservable(signedIn);
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const name = useId();
  const password = useId();
  const nameField = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const passwordField = form.elements.namedItem('password') as HTMLInputElement;
    // Nothing on the page has the password from here on.
    passwordField.value = '';
    setFailure('');
    setBusy(true);
    try {
      await signIn(String(data.get('username')), String(data.get('password')));
    } catch (error) {
      setFailure((error as Error).message);
      passwordField.focus();
    } finally {
      setBusy(false);
    }
  }

  function leave() {
    signOut();
    // The button that has the focus goes away.
    setTimeout(() => nameField.current?.focus());
  }

  return (
    <fieldset>
      <legend>Sign in</legend>
      {user ? (
        <div className="gateway-field">
          <span role="status">
            Signed in as <code>{user}</code>
          </span>
          <button type="button" className="graphiql-button" onClick={leave}>
            Sign out
          </button>
        </div>
      ) : (
        <form onSubmit={submit}>
          <label htmlFor={name}>User</label>
          <div className="gateway-field">
            <input
              ref={nameField}
              id={name}
              name="username"
              type="text"
              autoComplete="off"
              spellCheck={false}
              required
            />
          </div>
          <label htmlFor={password}>Password</label>
          <div className="gateway-field">
            <input id={password} name="password" type="password" autoComplete="off" required />
            <button type="submit" className="graphiql-button" disabled={isBusy}>
              Sign in
            </button>
          </div>
        </form>
      )}
      {failure && (
        <p role="alert" className="gateway-warning">
          {failure}
        </p>
      )}
      <p className="gateway-hint">
        The token replaces the key above. It is in the memory of this tab alone, and gone after a reload.
      </p>
    </fieldset>
  );
}
