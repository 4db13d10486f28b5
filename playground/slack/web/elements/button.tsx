import type { Button, WorkflowButton } from '@slack/types';
import { PlainText } from '../text/plain-text.js';
import { safeUrl } from '../text/safe-url.js';
import { type ElementPlace, useElement } from './use-element.js';

/** A button; one with an address opens it and tells the bot as well. */
export function ButtonElement({ element, place }: { element: Button | WorkflowButton; place: ElementPlace }) {
  const { tell, busy } = useElement(element, place);
  const url = element.type === 'button' && element.url ? safeUrl(element.url) : undefined;
  const style = element.style ? ` button-filled button-${element.style}` : '';
  const shared = {
    className: `button${style}${busy ? ' busy' : ''}`,
    ...(element.accessibility_label ? { 'aria-label': element.accessibility_label } : {}),
  };
  const words = (
    <span className="button-words">
      <PlainText of={element.text} />
    </span>
  );
  if (url) {
    return (
      <a {...shared} href={url} target="_blank" rel="noreferrer noopener" onClick={() => void tell({})}>
        {words}
      </a>
    );
  }
  return (
    <button {...shared} type="button" aria-busy={busy} onClick={() => busy || void tell({})}>
      {words}
    </button>
  );
}
