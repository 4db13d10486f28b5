import type { AnyBlock } from '@slack/types';
import { totalsInstead } from '../../access/scope.js';
import { conditionField } from '../../catalogue/conditions.js';
import { memberOf, type ReportName, reportNamed, type TitleOption } from '../../catalogue/index.js';
import type { AccessRefusal } from '../../errors/request-failures.js';
import { formatCount, formatPlural } from '../../figures/format/values.js';
import { joinWords } from '../../requests/join-words.js';
import { formatRequest } from '../../requests/parse-request.js';
import { quoteTypedWord } from '../../requests/problem.js';
import type { FilterChoice, ReportRequest, TitleChoice } from '../../requests/request.js';
import { compact, displayText } from '../../requests/text.js';
import type { Titled, TitleMatches } from '../../requests/titles.js';
import type { MistypedEntry } from '../../requests/typed-entry.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import { button, buttons, commandActions, limits, section } from './blocks.js';
import { correctionMessage, openFormButton } from './notices.js';

/** The action of a question's button on its command. */
export type NextStep = 'run' | 'save' | 'schedule';

const verbs = { run: 'Run', save: 'Save', schedule: 'Schedule' };

interface Question {
  readonly report: ReportName;
  /** The words after `/report`, as typed. */
  readonly typed: string;
  readonly next: NextStep;
  /** True where the asker wants the entries of filters as they were typed. */
  readonly asTyped?: boolean | undefined;
}

/** Asks about entries that no answer has held. `corrected` are the corrected words after `/report`. */
export function entriesMessage(
  misses: readonly MistypedEntry[],
  corrected: string,
  { report, typed, next }: Question,
): OutgoingMessage {
  const sentence = entriesSentence(misses, report);
  const right = runnable(`${verbs[next]} this`, corrected, commandActions.runWords, 'primary');
  const asTyped = runnable(`${verbs[next]} it as typed`, typed, commandActions.runAsTyped);
  return correctionMessage(sentence, corrected, [...right, ...asTyped, openFormButton(typed)]);
}

/** Says why an answer over time has no such figure. `corrected`: the words after `/report` with the nearest one. */
export function figureMessage(
  sentence: string,
  { corrected, next }: { readonly corrected: string | undefined; readonly next: NextStep },
  typed: string,
): OutgoingMessage {
  if (corrected === undefined)
    return { text: escaped(sentence), blocks: [section(sentence), buttons(openFormButton(typed))] };
  const right = runnable(`${verbs[next]} this`, corrected, commandActions.runWords, 'primary');
  return correctionMessage(sentence, corrected, [...right, openFormButton(typed)]);
}

/** `No answer has held “Sale” in Departments. Did you mean “Sales”?` */
export function entriesSentence(misses: readonly MistypedEntry[], report: ReportName): string {
  const labelOf = (miss: MistypedEntry) =>
    conditionField({ name: report }, miss.field ?? '')?.label ??
    memberOf(reportNamed(report), miss)?.member.label ??
    miss.member;
  const shown = misses.slice(0, maxListedEntries);
  const typed = shown.map((miss) => `“${quoteTypedWord(miss.entry)}” in ${labelOf(miss)}`);
  // A name of the service, which does not end its own quotation.
  const near = shown.map((miss) => `“${quoteTypedWord(miss.near).replace(/[“”„‟]/g, "'")}”`);
  const more = misses.length - shown.length;
  const rest = more > 0 ? [formatPlural(more, ['other', 'others'])] : [];
  return `No answer has held ${joinWords([...typed, ...rest], 'or')}. Did you mean ${joinWords([...near, ...rest], 'and')}?`;
}

const maxListedEntries = 3;

export function titlesMessage(
  { choice, matches }: { readonly choice: TitleChoice; readonly matches: TitleMatches },
  commandWith: (titled: Titled) => string,
  { report, typed, next, asTyped }: Question,
): OutgoingMessage {
  const sentence = titlesSentence(choice, matches, report);
  const action = asTyped ? commandActions.runAsTyped : commandActions.runWords;
  const titles = offeredTitles(matches);
  const commands = titles.map(commandWith);
  const rows = titles.flatMap((titled, i) =>
    runnable(titleLabel(titled, choice.option, matches), commands[i] ?? '', action),
  );
  const line = titles.length > 0 && next !== 'run' && `Press one to ${next} it.`;
  const lines = [sentence, ...commands.map((command) => `/report ${command}`)];
  return {
    text: escaped(lines.join('\n').slice(0, limits.textCharacters / 2)),
    blocks: [
      section(compact(sentence, line).join(' ')),
      // Each in a block of its own: in one block, buttons need different action IDs.
      ...rows.map((row) => buttons(row)),
      buttons(openFormButton(typed)),
    ],
  };
}

export function offeredTitles({ found, nearest }: TitleMatches): readonly Titled[] {
  return found.length > 0 ? found : nearest;
}

/** The result of a search for a title, and what to do next. */
export function titlesSentence(
  { option, text }: TitleChoice,
  { found, count, nearest }: TitleMatches,
  report: ReportName,
): string {
  const typed = `“${quoteTypedWord(text)}”`;
  if (count > 0) {
    const more = count > found.length ? ', or type more of it' : '';
    return `${formatCount(count)} titles match ${typed}. Choose one${more}.`;
  }
  if (nearest.length > 0) {
    const are = nearest.length > 1 ? 'These are' : 'This is';
    return `No ${titleWords[option]} matches ${typed}. ${are} the nearest.`;
  }
  const longer = reportNamed(report).range ? ', or choose a longer range' : '';
  return `No ${titleWords[option]} here matches ${typed}. Type a part of its title${longer}.`;
}

/** The same for a form, whose menu has the titles to choose from. */
export function titlesProblem(choice: TitleChoice, matches: TitleMatches, report: ReportName): string {
  const titles = offeredTitles(matches).map(
    ({ title }) => `“${displayText(title, limits.buttonCharacters)}”`,
  );
  const list = titles.length > 0 ? ` ${joinWords(titles, 'or')}?` : '';
  return `${titlesSentence(choice, matches, report)}${list}`;
}

const titleWords = {
  content: 'content',
  track: 'track',
  assessment: 'assessment',
  workshop: 'workshop',
};

/** A title on a button or as an option; with its identifier where several have the same title. */
function titleLabel({ id, title }: Titled, option: TitleOption, matches: TitleMatches) {
  const shown = displayText(title, limits.buttonCharacters);
  const isShared = offeredTitles(matches).some(
    (other) => other.id !== id && displayText(other.title, limits.buttonCharacters) === shown,
  );
  if (!isShared) return shown;
  const suffix = ` (${titleWords[option]} ${displayText(id, 30)})`;
  return `${displayText(title, limits.buttonCharacters - suffix.length)}${suffix}`;
}

/** A button that runs a command; none for a command that its value cannot hold. */
export function runnable(label: string, command: string, action: string, style?: 'primary') {
  return command.length <= limits.buttonValueCharacters ? [button(action, label, command, style)] : [];
}

/** What the asker may run instead of a refused request: the same totals, or their own records. None: nothing near. */
export function allowedInstead(request: ReportRequest, refusal: AccessRefusal): readonly AnyBlock[] {
  const totals = totalsInstead(request, refusal);
  if (!totals) return [];
  const me: FilterChoice = { object: 'user_filter', member: 'email', entries: ['me'] };
  const own: ReportRequest = { ...request, filters: [...request.filters, me] };
  const ways = compact(
    runnable('Show the totals', formatRequest(totals), commandActions.runWords),
    refusal.kind === 'totals-only' &&
      refusal.mayAskForSelf &&
      runnable('Show my own records', formatRequest(own), commandActions.runWords),
  );
  // Each in a block of its own: in one block, buttons need different action IDs.
  return ways.map((way) => buttons(way));
}
