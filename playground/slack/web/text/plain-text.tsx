import type { PlainTextElement } from '@slack/types';
import { inOrder } from '../parts/in-order.js';
import { Emoji } from './emoji.js';
import { splitAtEmoji } from './emoji-names.js';

/** A `plain_text` object: nothing in it formats or mentions; `:emoji:` is drawn unless the bot switched that off. */
export function PlainText({ of: element }: { of: PlainTextElement }) {
  if (element.emoji === false) return <>{element.text}</>;
  return (
    <>
      {inOrder(splitAtEmoji(element.text), (piece, index) =>
        index % 2 === 1 ? <Emoji name={piece} /> : piece,
      )}
    </>
  );
}
