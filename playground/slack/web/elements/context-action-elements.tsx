import type { FeedbackButtons, IconButton } from '@slack/types';
import { useDirectory } from '../text/directory.js';
import { PlainText } from '../text/plain-text.js';
import { type ElementPlace, useElement } from './use-element.js';

export function FeedbackButtonsElement({
  element,
  place,
}: {
  element: FeedbackButtons;
  place: ElementPlace;
}) {
  const { tell } = useElement(element, place);
  const both = [
    { button: element.positive_button, sign: '👍' },
    { button: element.negative_button, sign: '👎' },
  ];
  return both.map(({ button, sign }) => (
    <button
      key={sign}
      type="button"
      className="button button-quiet"
      aria-label={button.accessibility_label ?? button.text.text}
      title={button.text.text}
      onClick={() => void tell({ value: button.value })}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  ));
}

export function IconButtonElement({ element, place }: { element: IconButton; place: ElementPlace }) {
  const { me } = useDirectory();
  const { tell } = useElement(element, place);
  if (element.visible_to_user_ids && !element.visible_to_user_ids.includes(me.id)) return null;
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={element.accessibility_label}
      onClick={() => void tell({})}
    >
      {element.icon === 'trash' ? <span aria-hidden="true">🗑️ </span> : null}
      <PlainText of={element.text} />
    </button>
  );
}
