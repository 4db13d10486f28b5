import type { AnyBlock } from '@slack/types';
import type { Help, HelpSection } from '../../requests/help.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { escaped } from '../text.js';
import { bullets, context, header, leaf, plain, section } from './blocks.js';
import { limits } from './limits.js';

/** A section of more lines than this is said as one text rather than as a list. */
const mostLines = 24;

/** What can be asked, with examples. */
export function helpMessage(help: Help): OutgoingMessage {
  const blocks: AnyBlock[] = [header(help.title)];
  let room = limits.messageCharacters - JSON.stringify(blocks).length - 600;
  for (const part of help.sections) {
    const drawn = sectionBlocks(part);
    const length = JSON.stringify(drawn).length;
    if (length > room) continue;
    room -= length;
    blocks.push(...drawn);
  }
  blocks.push(context(plain('/report help <report> tells the fields, filters and dates of one report.')));
  return { text: escaped(textOf(help)), blocks };
}

function sectionBlocks({ title, lines }: HelpSection): AnyBlock[] {
  if (lines.length > mostLines) {
    const all = lines.map(({ typed, words }) => (words === '' ? typed : `${typed} (${words})`)).join(', ');
    return [section(plain(title)), section(plain(all))];
  }
  return [
    section(plain(title)),
    bullets(
      ...lines.map(({ typed, words }) => [
        leaf(typed, { code: true }),
        ...(words === '' ? [] : [leaf(`  ${words}`)]),
      ]),
    ),
  ];
}

function textOf({ title, sections }: Help): string {
  const commands = sections[0]?.lines ?? [];
  return [title, ...commands.map(({ typed, words }) => (words === '' ? typed : `${typed}: ${words}`))].join(
    '\n',
  );
}
