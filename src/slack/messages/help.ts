import type { AnyBlock } from '@slack/types';
import { type ReportName, reportNamed } from '../../catalogue/index.js';
import { meanings, meaningsForAll } from '../../figures/format/meanings.js';
import { compact } from '../../requests/compact.js';
import { firstExamples, type Help, type HelpSection, isForAll } from '../../requests/help.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { actions, homeActions } from '../ids.js';
import { escaped } from '../markup.js';
import {
  bold,
  bulletList,
  button,
  buttons,
  context,
  header,
  limits,
  mrkdwn,
  richText,
  section,
} from './blocks.js';

/** Examples, the rest behind a button. `hasTeam` is false where no one is known to report to the reader. */
export function firstHelpMessage(hasTeam = true): OutgoingMessage {
  const title = 'What you can ask';
  const examples = firstExamples.filter((line) => hasTeam || isForAll(line));
  const plainWords = `You can also write it in plain words: “${hasTeam ? 'who in my team is overdue' : 'what do I still have to do'}”.`;
  return {
    text: [
      `${title}. Press an example, or type it:`,
      ...examples.map(({ syntax, description }) => `${description}: /report ${syntax}`),
      plainWords,
    ].join('\n'),
    blocks: [
      section(mrkdwn(`*${title}.* Press an example, or type it.`)),
      ...examples.map(({ syntax, description }) => ({
        ...section(mrkdwn(`${description} · \`/report ${syntax}\``)),
        accessory: button(actions.runWords, 'Run', syntax),
      })),
      context(plainWords),
      buttons(button(homeActions.help, 'More', '-'), button(actions.openBuilder, 'Open the form', '-')),
    ],
  };
}

/** Longer sections become one paragraph instead of a list. */
const maxListLines = 24;

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
  blocks.push(
    context(help.rest ?? 'Type /report help <report> for the fields, filters and dates of one report.'),
  );
  return { text: escaped(textOf(help)), blocks };
}

function sectionBlocks({ title, lines }: HelpSection) {
  if (lines.length > maxListLines) {
    const all = lines
      .map(({ syntax, description }) => (description === '' ? syntax : `${syntax} (${description})`))
      .join(', ');
    return [section(title), section(all)];
  }
  return [
    section(title),
    bulletList(
      ...lines.map(({ syntax, description }) =>
        compact(richText(syntax, { code: true }), description !== '' && `  ${description}`),
      ),
    ),
  ];
}

function textOf({ title, sections }: Help) {
  const commands = sections[0]?.lines ?? [];
  return [
    title,
    ...commands.map(({ syntax, description }) => (description === '' ? syntax : `${syntax}: ${description}`)),
  ].join('\n');
}

export function meaningsMessage(report: ReportName): OutgoingMessage {
  const title = `What the figures of ${reportNamed(report).title.toLowerCase()} mean`;
  const all = [...meanings[report], ...meaningsForAll];
  return {
    text: [title, ...all.map(({ term, sentence }) => `${term}: ${sentence}`)].join('\n'),
    blocks: [header(title), bulletList(...all.map(({ term, sentence }) => [bold(`${term}: `), sentence]))],
  };
}
