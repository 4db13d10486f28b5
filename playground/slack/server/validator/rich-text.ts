import { byType, type Check, flag, list, number, oneOf, only, text, thing } from './checks.js';
import { blockId } from './composition.js';

const style = thing({ bold: flag, code: flag, italic: flag, strike: flag, underline: flag });
const border = oneOf(0, 1);

const leaves: Readonly<Record<string, Check>> = {
  text: thing({ style, text: text() }, { needs: ['text'] }),
  link: thing({ style, url: text(), text: text({ min: 0 }), unsafe: flag }, { needs: ['url'] }),
  user: thing({ style, user_id: text() }, { needs: ['user_id'] }),
  usergroup: thing({ style, usergroup_id: text() }, { needs: ['usergroup_id'] }),
  channel: thing({ style, channel_id: text() }, { needs: ['channel_id'] }),
  team: thing({ style, team_id: text() }, { needs: ['team_id'] }),
  broadcast: thing({ style, range: oneOf('here', 'channel', 'everyone') }, { needs: ['range'] }),
  emoji: thing({ style, name: text(), unicode: text(), url: text() }, { needs: ['name'] }),
  date: thing(
    { style, timestamp: number({ whole: true }), format: text(), url: text(), fallback: text() },
    { needs: ['timestamp', 'format'] },
  ),
  color: thing({ style, value: text() }, { needs: ['value'] }),
};

const anyLeaf = byType(() => leaves);
const section = thing({ elements: list(anyLeaf) }, { needs: ['elements'] });

const containers: Readonly<Record<string, Check>> = {
  rich_text_section: section,
  rich_text_list: thing(
    {
      elements: list(byType(() => ({ rich_text_section: section }))),
      style: oneOf('bullet', 'ordered'),
      indent: number({ whole: true, min: 0, max: 8 }),
      border,
    },
    { needs: ['elements', 'style'] },
  ),
  rich_text_quote: thing({ elements: list(anyLeaf), border }, { needs: ['elements'] }),
  rich_text_preformatted: thing(
    {
      elements: list(byType(() => only(leaves, 'text', 'link'))),
      border,
    },
    { needs: ['elements'] },
  ),
};

const richTextBlock = thing(
  { block_id: blockId, elements: list(byType(() => containers)) },
  { needs: ['elements'] },
);

/** A `rich_text` block, alone, in a cell or as the content of an input. */
export const richText: Check = byType(() => ({ rich_text: richTextBlock }));
