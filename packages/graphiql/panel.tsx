import { type KeyboardEvent, type ReactNode, useId } from 'react';

/**
 * Opens the pane of a plugin. GraphiQL's own `setVisiblePlugin` fills the pane and leaves it hidden; only the buttons of
 * its sidebar show it.
 */
export function openPanel(title: string): void {
  sidebarButton(`Show ${title}`)?.click();
}

export function closePanel(title: string): void {
  sidebarButton(`Hide ${title}`)?.click();
}

function sidebarButton(label: string): HTMLButtonElement | null {
  return document.querySelector<HTMLButtonElement>(`.graphiql-sidebar [aria-label="${label}"]`);
}

/** The content of a plugin's pane. Escape closes it and gives the focus back to its button. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  function close(event: KeyboardEvent) {
    if (event.key !== 'Escape') return;
    const button = sidebarButton(`Hide ${title}`);
    button?.click();
    button?.focus();
  }
  return (
    <section className="gateway-panel" aria-labelledby={heading} onKeyDown={close}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}
