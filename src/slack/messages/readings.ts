import { joinWords } from '../../requests/join-words.js';
import { type Command, parseCommand } from '../../requests/parse-command.js';
import { describeCommand, describeDefaultRange } from '../../requests/sentences/describe.js';
import type { SentenceReading } from '../../requests/sentences/read-sentence.js';
import { isRefusal } from '../../requests/sentences/refusals.js';
import { compact, displayText } from '../../requests/text.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import { buttons, code, commandActions, context, limits, richTextLines, section } from './blocks.js';
import { runnable } from './choices.js';
import { notice, openFormButton } from './notices.js';

/** Longer commands are cut where they are shown. Their buttons hold all of them. */
const maxShownCommand = 1_000;

/** The readings of a sentence as commands, each with buttons. Nothing runs before a press. */
export function readingsMessage(commands: readonly string[], note: string | undefined): OutgoingMessage {
  const isOne = commands.length === 1;
  const lead = isOne ? 'I read: ' : 'I can read this in several ways. Choose one.';
  const texts = commands.map((command) => `/report ${command}`);
  return {
    text: textOf(compact(isOne ? [`${lead}${texts[0]}`] : [lead, ...texts], note)),
    blocks: compact(
      !isOne && section(lead),
      commands.flatMap((command) => readingBlocks(command, isOne ? lead : '')),
      note && context(note),
    ),
  };
}

function textOf(lines: readonly string[]) {
  return escaped(lines.join('\n')).slice(0, limits.textCharacters);
}

function readingBlocks(command: string, lead: string) {
  const parsed = parseCommand(command, { savedNames: [] });
  const words = parsed.ok ? inWords(parsed.value) : undefined;
  const canChange = parsed.ok && ['run', 'save', 'schedule'].includes(parsed.value.kind);
  const pressable = compact(
    runnable('Run', command, commandActions.runWords, 'primary'),
    canChange && runnable('Change', command, commandActions.openBuilder),
  );
  return compact(
    richTextLines([lead, code(`/report ${command}`, maxShownCommand)]),
    words !== undefined && context(displayText(words, maxShownCommand)),
    pressable.length > 0 && buttons(...pressable),
  );
}

/** With the default range, so that people know it before they press. */
function inWords(command: Command) {
  const range = command.kind === 'run' ? describeDefaultRange(command.request) : undefined;
  return compact(describeCommand(command), range).join(' · ') || undefined;
}

/** The words that could not be read, with near commands. `understood` is the command that fills the form. */
export function unreadableMessage(
  read: SentenceReading,
  note: string | undefined,
  understood: string | undefined,
): OutgoingMessage {
  const sentence = compact(unreadableSentence(read, note !== undefined), note).join(' ');
  if (read.missing === 'thanks') return notice(sentence);
  const hint = !isRefusal(read.missing) && read.unknown.some(canBeName) && nameHint;
  return {
    text: textOf(
      compact(
        sentence,
        hint,
        read.nearest.map((command) => `/report ${command}`),
      ),
    ),
    blocks: compact(
      section(sentence),
      hint && context(hint),
      read.nearest.map((command) =>
        section(
          displayText(`/report ${command}`, maxShownCommand),
          runnable('Run', command, commandActions.runWords)[0],
        ),
      ),
      buttons(openFormButton(understood ?? '-')),
    ),
  };
}

/** What cannot be asked, and what can be asked instead. */
const refusalTexts = {
  excluding: 'It is not clear what to leave out. Type it as a condition, such as departments:!Sales.',
  comparing:
    'It is not clear what to compare. Type it as a condition, such as days_overdue:>30 or score:<60.',
  rate: 'Rankings, percentages as conditions, and shares or averages that no answer has are not possible. Ask for a breakdown, such as overdue by department.',
  trend:
    'A line over time needs a report and its units, as in “completions of the last 12 weeks, week by week” or completions over:12w. For a schedule, name the time: every monday at 9.',
  against:
    'Answers are compared with the period before, or with last year: add against:last-year. Ask for one range, such as this month.',
  never:
    'No report says who has never done something. Ask who has not completed a training, by its title, or who was inactive last month.',
  person: 'For a person, type the email address instead of the name.',
  two: 'These are two requests. Ask for one after the other.',
  target:
    'It is not clear which rate is to be reached, or by when. Type it as a target, such as assignments 2026 target:95%@2026-12-31.',
  scorecard:
    'Several figures in one message are a scorecard. Save one, such as /report save Monday numbers: overdue; tracks last-month; then schedule it: /report schedule Monday numbers weekly mon 09:00.',
  'two-scheduled': 'A schedule has one report. Schedule them one after the other.',
  other: 'No report can answer this. Ask for what people did or have to do, or type /report help.',
};

const nameHint = 'For a person, type the email address instead of the name.';

/** True for words that can only be a person's name, and for which no person was found. */
export function namesSomebody({ readings, missing, unknown }: SentenceReading): boolean {
  return readings.length === 0 && (missing === 'person' || unknown.some(canBeName));
}

/** `Ada Moreau`, which could name a person. Rollcall stores no list of people. */
function canBeName(words: string) {
  return /^\p{Lu}\p{L}+ \p{Lu}[\p{L}'’-]+$/u.test(words);
}

/** @param isInThread true where an answer above could have said what is missing, and a note says why it did not */
function unreadableSentence(
  { unknown, missing, isForeign, isCorrected, nearest }: SentenceReading,
  isInThread: boolean,
) {
  const many = nearest.length === 1 ? 'This command comes near:' : 'These commands come near:';
  const near = nearest.length === 0 ? 'Choose it in the form, or type /report help.' : many;
  const quoted = unknown.map((word) => `“${word}”`);
  const [word = ''] = unknown;
  // “Is Logistics overdue” may be about a department that no answer has held.
  if (missing === 'person' && unknown.length === 1 && /^\p{L}+$/u.test(word))
    return `I don’t know ${quoted[0]}. For a person, type the email address; for anything else, its filter, as in departments:${word}.`;
  if (isRefusal(missing)) {
    const text = refusalTexts[missing];
    return quoted.length > 0 ? `${joinWords(quoted)}: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
  }
  if (isForeign) return `Rollcall reads English. ${near}`;
  if (quoted.length > 0) {
    const meant = nearest.length === 1 ? 'Did you mean this?' : 'Did you mean one of these?';
    return `I don't understand ${joinWords(quoted)}. ${isCorrected ? meant : near}`;
  }
  switch (missing) {
    case 'thanks':
      return 'You’re welcome.';
    case 'time':
      return `The time of day is missing. ${near}`;
    case 'day':
      return `The day is missing. ${near}`;
    case 'report':
      return isInThread
        ? `I don’t know which report you mean. ${near}`
        : 'I don’t know which report you mean. Name it, or write in the thread of an answer:';
    default:
      return `No report can answer this as it stands. ${near}`;
  }
}
