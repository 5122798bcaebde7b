/** Asks for the API key, which stays in this tab. The one proposed is the sandbox's, and public. */
export function SignIn({ onKey }: { onKey: (apiKey: string) => void }) {
  return (
    <main>
      <h1>Sign in</h1>
      <form action={(form) => onKey(String(form.get('api-key')))}>
        <label>
          API key
          <input name="api-key" defaultValue="demo-coop" required autoComplete="off" />
        </label>
        <button type="submit">Sign in</button>
      </form>
    </main>
  );
}
