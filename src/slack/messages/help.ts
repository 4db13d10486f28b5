import type { AnyBlock } from '@slack/types';
import type { ReportName } from '../../catalogue/index.js';
import { figuresOfRequest, type NamedFigure } from '../../figures/summary/named-figures.js';
import { firstExamples, type Help, type HelpSection, isForAll } from '../../requests/help.js';
import type { RequestView } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import {
  bulletList,
  button,
  buttons,
  commandActions,
  context,
  header,
  limits,
  mrkdwn,
  richText,
  section,
} from './blocks.js';

export const helpActions = {
  /** Shows the whole help in a modal. Messages have it too. */
  help: 'home_help',
} as const;

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
        accessory: button(commandActions.runWords, 'Run', syntax),
      })),
      context(plainWords),
      buttons(
        button(helpActions.help, 'More', '-'),
        button(commandActions.openBuilder, 'Open the form', '-'),
      ),
    ],
  };
}

/** Longer sections become one paragraph instead of a list. */
const maxListLines = 24;

/** Room for the line that every help ends with. */
const lastLineCharacters = 300;

export function helpMessage(help: Help): OutgoingMessage {
  const blocks: AnyBlock[] = [header(help.title)];
  let room = limits.messageCharacters - JSON.stringify(blocks).length - lastLineCharacters;
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

/** Help on a report or view, with the figures that an alert can wait for. On a view, they are one more option. */
export function withFigures(help: Help, report: ReportName, view?: RequestView): Help {
  const figures = figuresOfRequest({ report, view }).map(figureInHelp).join(', ');
  const [examples, ...others] = help.sections;
  if (view === undefined) {
    const section = { title: 'Figures, for when', lines: [{ syntax: figures, description: '' }] };
    return { ...help, sections: compact(examples, section, others) };
  }
  const option = { syntax: 'when', description: `In schedule, for ${figures}` };
  const sections = others.map((part) => ({ ...part, lines: [...part.lines, option] }));
  return { ...help, sections: compact(examples, sections) };
}

/** `completion-rate (%)` */
function figureInHelp({ id, unit }: NamedFigure): string {
  if (unit === 'percent') return `${id} (%)`;
  return unit === 'hours' || unit === 'days' ? `${id} (${unit})` : id;
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
