import type { Overflow } from '@slack/types';
import { Menu } from '../parts/menu.js';
import { PlainText } from '../text/plain-text.js';
import { safeUrl } from '../text/safe-url.js';
import { asJson } from './element-state.js';
import { type ElementPlace, useElement } from './use-element.js';

/** The three dots, and the menu behind them. */
export function OverflowElement({ element, place }: { element: Overflow; place: ElementPlace }) {
  const { tell } = useElement(element, place);
  return (
    <Menu
      label="More actions"
      button={<span aria-hidden="true">⋯</span>}
      buttonClass="button overflow-button"
      items={element.options.map((option) => ({
        id: option.value ?? option.text.text,
        content: (
          <>
            <PlainText of={option.text} />
            {option.description ? (
              <span className="option-description">
                <PlainText of={option.description} />
              </span>
            ) : null}
          </>
        ),
        choose: () => {
          const url = option.url ? safeUrl(option.url) : undefined;
          if (url) window.open(url, '_blank', 'noopener');
          void tell({ selected_option: asJson(option) });
        },
      }))}
    />
  );
}
