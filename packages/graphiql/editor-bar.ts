import { useEffect } from 'react';
import { storageWithoutHeaders } from './storage.ts';

/** Percent of the width that one press of a key moves the bar, and that each side keeps. */
const step = 5;
const least = 30;

/** Moves the bar between editor and answer by keyboard: GraphiQL's own bar takes the mouse alone. */
export function EditorBar() {
  useEffect(() => {
    const editors = document.querySelector<HTMLElement>('.graphiql-editors');
    const bar = document.querySelector<HTMLElement>('#graphiql-session > .graphiql-horizontal-drag-bar');
    const answer = document.querySelector<HTMLElement>('.graphiql-response');
    if (!editors || !bar || !answer) return;

    const percent = () => Math.round((100 * editors.offsetWidth) / (editors.offsetWidth + answer.offsetWidth));
    const show = () => bar.setAttribute('aria-valuenow', String(percent()));
    const move = (event: KeyboardEvent) => {
      const to = {
        ArrowLeft: percent() - step,
        ArrowRight: percent() + step,
        Home: least,
        End: 100 - least,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const left = Math.min(100 - least, Math.max(least, to));
      editors.style.flex = String(left / (100 - left));
      // As GraphiQL stores it after a move by mouse.
      storageWithoutHeaders.setItem('graphiql:editorFlex', editors.style.flex);
      show();
    };
    const name = {
      role: 'separator',
      tabindex: '0',
      'aria-orientation': 'vertical',
      'aria-label': 'Width of the editor',
    };
    const range = { 'aria-valuemin': String(least), 'aria-valuemax': String(100 - least) };
    for (const [key, value] of Object.entries({ ...name, ...range })) bar.setAttribute(key, value);
    bar.addEventListener('keydown', move);
    const observer = new ResizeObserver(show);
    observer.observe(editors);
    return () => {
      bar.removeEventListener('keydown', move);
      observer.disconnect();
    };
  }, []);
  return null;
}
