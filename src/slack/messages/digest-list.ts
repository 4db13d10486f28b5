import type { AnyBlock } from '@slack/types';
import { type Digest, type DigestRun, followUpName } from '../../digests/digest.js';
import { describeReason, pauseReasons, reasonForReader } from '../../digests/failure.js';
import type { ManagersRunEnd } from '../../digests/managers-plan.js';
import { formatMoment, formatPlural } from '../../figures/format/values.js';
import { compact, displayText } from '../../requests/text.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import {
  bold,
  button,
  buttons,
  code,
  header,
  limits,
  menu,
  mrkdwn,
  type Page,
  pageButtons,
  richChannel,
  richTextLines,
  section,
} from './blocks.js';
import { deletionLines, digestActions, digestName, formatRun } from './digests.js';
import { endLine } from './managers.js';
import { commandFor, person, type SavedReader, waitingFor } from './saved-reports.js';
import { joinWithinLimit } from './summary-parts.js';

export interface DigestRow {
  readonly digest: Digest;
  readonly last?: DigestRun | undefined;
  /** What its reader may know of the last runs of an alert: `Last: 42, 8 below 50, Mon 23 Nov`. */
  readonly alert?: string | undefined;
  /** How the last run of a digest for managers ended, and how many pressed *Not for me*. */
  readonly managers?: { readonly end?: ManagersRunEnd | undefined; readonly declined: number } | undefined;
  /** The person whom it is offered to; absent if there is no offer. */
  readonly offeredTo?: string | undefined;
}

export interface DigestReader extends Pick<SavedReader, 'user' | 'seesPeople'> {
  mayChange(digest: Digest): boolean;
  /** True for a list of several channels. */
  readonly withChannel: boolean;
  /** Identifies the list in values of its menus, so that a listener can update it in place. */
  readonly list?: string;
}

/** Each digest takes two of the 50 blocks of a message. */
export const digestPageSize = 8;

/** @param pageValue returns the value of a button to the page that starts at `from` */
export function digestBlocks(
  page: Page<DigestRow>,
  reader: DigestReader,
  pageValue: (from: number) => string,
): readonly AnyBlock[] {
  if (page.items.length === 0) return [];
  return compact(
    header('Digests'),
    page.items.flatMap((row) => [digestLine(row, reader), digestButtons(row.digest, reader)]),
    pageButtons(digestActions, ' digests', page, digestPageSize, pageValue),
  );
}

const maxCommandLength = 200;
const maxStateLength = 400;

function digestLine({ digest, last, alert, managers, offeredTo }: DigestRow, reader: DigestReader) {
  const whose = digest.owner === reader.user ? 'your' : 'its owner’s';
  return richTextLines([
    bold(digestName(digest)),
    digest.audience === 'managers'
      ? ', to each manager, their own team'
      : reader.withChannel && [', to ', richChannel(digest.channel, `${whose} direct messages with me`)],
    '\n',
    code(commandFor(digest, reader), maxCommandLength),
    `\n${compact(formatNextRun(digest), alert, managers && managersLine(managers), deletionLines(digest)).join('\n')}\nOwned by `,
    person(digest.owner),
    ...waitingFor(offeredTo),
    last
      ? ` · last: ${displayText(formatRunState(last, digest, reader.user, false), maxStateLength)}`
      : ' · not run yet',
  ]);
}

function managersLine({ end, declined }: NonNullable<DigestRow['managers']>): string | undefined {
  const last = end && `Last time: ${endLine(end)}.`;
  return compact(last, declined > 0 && `Not for me: ${declined} in all.`).join(' ') || undefined;
}

function formatNextRun({ state, pauseReason, nextDue, schedule }: Digest) {
  if (state !== 'paused')
    return nextDue === undefined ? 'No more runs.' : `Next: ${formatRun(nextDue, schedule.zone)}`;
  if (pauseReason === undefined || pauseReason === 'by-hand') return 'Paused.';
  const words = pauseReasons.has(pauseReason) && describeReason(pauseReason, undefined);
  return words ? `Paused. ${words}` : 'Paused after three failures in a row.';
}

function digestButtons(digest: Digest, reader: DigestReader) {
  const { id, state } = digest;
  const test = button(digestActions.test, 'Send me a test', id);
  if (!reader.mayChange(digest)) return buttons(test, button(digestActions.history, 'History', id));
  const about = reader.list === undefined ? id : `${id} ${reader.list}`;
  const more = menu(digestActions.menu, about, [
    ['edit', 'Edit'],
    state === 'active' ? ['pause', 'Pause'] : ['resume', 'Resume'],
    ['history', 'History'],
    ['handOver', 'Hand over'],
    ['delete', 'Delete'],
  ]);
  return buttons(button(digestActions.sendNow, 'Send now', id), test, more);
}

export function manageMessage(row: DigestRow, reader: DigestReader): OutgoingMessage {
  const { id, state } = row.digest;
  const change = [
    state === 'active'
      ? button(digestActions.pause, 'Pause', id)
      : button(digestActions.resume, 'Resume', id),
    button(digestActions.edit, 'Edit', id),
    button(digestActions.sendNow, 'Send again', id),
  ];
  const test = button(digestActions.test, 'Send me a test', id);
  return {
    text: escaped(digestName(row.digest)),
    blocks: [
      digestLine(row, reader),
      buttons(reader.mayChange(row.digest) ? change : test, button(digestActions.history, 'History', id)),
    ],
  };
}

/** The states of posts; an answer by hand is `answered`. */
export const stateLabels = {
  queued: 'waiting',
  running: 'running',
  posting: 'posting',
  posted: 'delivered',
  skipped: 'skipped',
  failed: 'failed',
  unknown: 'delivery unconfirmed',
  cancelled: 'cancelled',
};

/** How runs of alerts end that post nothing, by their error code. */
const alertLabels: Readonly<Record<string, string>> = {
  'alert-quiet': 'checked',
  'alert-baseline': 'first check',
  'alert-met': 'first check',
  'alert-drop': 'left out',
};

/** `Fri 20 Nov, 09:00: delivered, 120 rows`; `Fri 20 Nov, 09:00: checked. Overdue now: 42, not above 50.` */
function formatRunState(
  run: DigestRun,
  digest: Pick<Digest, 'schedule' | 'owner' | 'request'>,
  reader: string,
  readsFigures: boolean,
) {
  const { state, rows, errorCode, late, missed, settled, fileState } = run;
  const { schedule, owner } = digest;
  const followUp = followUpName(digest);
  const check = alertLabels[errorCode ?? ''];
  const details = compact(
    check ?? stateLabels[state],
    state === 'posted' && rows !== undefined && formatPlural(rows, ['row', 'rows']),
    state === 'skipped' && errorCode === undefined && 'no results',
    late && 'late',
    missed > 0 && (missed === 1 ? '1 earlier run missed' : `${missed} earlier runs missed`),
    settled === 'arrived' && 'confirmed by its owner',
    fileState === 'failed' && `${followUp} failed`,
    fileState === 'skipped' && `${followUp} skipped`,
    fileState === 'unknown' && `${followUp} delivery unconfirmed`,
  );
  const needsNoReason =
    (check !== undefined && !readsFigures) ||
    state === 'unknown' ||
    (state === 'posted' && fileState !== 'failed' && fileState !== 'skipped');
  const why = needsNoReason ? undefined : reasonForReader(run, reader === owner);
  return `${formatMoment(run.dueAt, schedule.zone)}: ${details.join(', ')}${why ? `. ${why}` : ''}`;
}

/** @param readsFigures whether its place may show the reader what the runs of an alert found */
export function historyMessage(
  digest: Digest,
  runs: readonly DigestRun[],
  reader: string,
  readsFigures: boolean,
  ends: ReadonlyMap<string, ManagersRunEnd> = new Map(),
): OutgoingMessage {
  const title = `History of ${displayText(digestName(digest), 100)}`;
  const lines = runs.map((run) => {
    const link = run.message?.link;
    const end = ends.get(run.id);
    const state = compact(formatRunState(run, digest, reader, readsFigures), end && endLine(end)).join(': ');
    return `• ${escaped(state)}${link ? ` · <${link}|message>` : ''}`;
  });
  return {
    text: escaped(title),
    blocks: [
      section(title),
      section(
        mrkdwn(
          lines.length > 0 ? joinWithinLimit(lines, limits.textObjectCharacters) : 'It has not run yet.',
        ),
      ),
    ],
  };
}
