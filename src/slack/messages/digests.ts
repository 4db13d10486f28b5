import { reportNamed } from '../../catalogue/index.js';
import type { Digest, DigestDraft } from '../../digests/digest.js';
import { formatDay, formatMoment } from '../../figures/format/dates.js';
import { displayText } from '../../figures/format/text.js';
import { formatPlural } from '../../figures/format/values.js';
import { formatTitle } from '../../figures/summary/request.js';
import { formatCondition } from '../../requests/alert-condition.js';
import { describeCadence } from '../../requests/cadence-words.js';
import { compact } from '../../requests/compact.js';
import { formatRequest } from '../../requests/parse-request.js';
import type { ReportRequest } from '../../requests/request.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { digestActions } from '../ids.js';
import { escaped } from '../markup.js';
import {
  bulletList,
  button,
  buttons,
  code,
  context,
  header,
  richChannel,
  richTextLines,
  section,
} from './blocks.js';
import { notice } from './notices.js';

/** `Engagement, every Monday at 09:00`, `Overdue assignments when overdue > 50, every day at 09:00` */
export function digestName({
  request,
  schedule,
  when,
}: Pick<Digest, 'request' | 'schedule' | 'when'>): string {
  const title = formatTitle({ report: reportNamed(request.report), request });
  const condition = when ? ` when ${formatCondition(when)}` : '';
  return displayText(`${title}${condition}, ${describeCadence(schedule.cadence)}`, 200);
}

/** Nothing is saved before the person presses Confirm. `shown` is the request as this person may read it. */
export function previewMessage(
  draftId: string,
  draft: DigestDraft,
  runs: readonly number[],
  remarks: readonly string[],
  shown: ReportRequest = draft.request,
): OutgoingMessage {
  const { request, cadence, zone, channel, skipEmpty, changes } = draft;
  const title = formatTitle({ report: reportNamed(request.report), request });
  const comes = `${describeCadence(cadence)}, ${zone}`;
  const head = changes ? 'Change this digest?' : 'Schedule this?';
  const next = runs.map((run) => formatRun(run, zone));
  return {
    text: escaped(`${head} ${title}, ${comes}. Next: ${next.join('; ')}.`),
    blocks: compact(
      header(head),
      richTextLines([
        `${title}, ${displayText(comes, 300)}, to `,
        richChannel(channel, 'your direct messages with me'),
        '.',
      ]),
      richTextLines([code(`/report ${formatRequest(shown)}`, 600)]),
      section(runs.length > 1 ? `The next ${runs.length} times:` : 'The next time:'),
      bulletList(...next),
      skipEmpty && context('Skipped when there are no results.'),
      deletionLines(draft).map((line) => context(line)),
      remarks.map((remark) => context(remark)),
      buttons(
        button(digestActions.confirm, 'Confirm', draftId, 'primary'),
        button(digestActions.testDraft, 'Send me a test', draftId),
        button(digestActions.editDraft, 'Edit', draftId),
        button(digestActions.cancel, 'Cancel', draftId),
      ),
    ),
  };
}

export function deletionLines({
  replace,
  keepDays,
}: Pick<DigestDraft, 'replace' | 'keepDays'>): readonly string[] {
  return compact(
    replace && 'The last message is deleted when the next one is posted, with my replies and files.',
    keepDays && `Messages and files are deleted after ${formatPlural(keepDays, ['day', 'days'])}.`,
  );
}

/** `Mon 23 Nov 2026, 09:00, Europe/Berlin` */
export function formatRun(run: number, zone: string): string {
  const [, time = ''] = formatMoment(run, zone).split(', ');
  return `${formatDay(run, zone)}, ${time}, ${zone}`;
}

export function confirmedMessage(digest: Digest, isNew: boolean): OutgoingMessage {
  const done = isNew ? 'Scheduled.' : 'Changed.';
  if (digest.state === 'paused')
    return digestDoneMessage(`${done} It stays paused`, digest, '', [digestActions.resume, 'Resume']);
  return notice(`${done} ${digestName(digest)}.${formatNextTime(digest)} Type /report list to manage it.`);
}

/**
 * What was done with a digest.
 *
 * @param next the button for what can be done next
 */
export function digestDoneMessage(
  done: string,
  digest: Digest,
  rest = digest.state === 'paused' ? ' It is paused.' : formatNextTime(digest),
  next?: readonly [action: string, label: string],
): OutgoingMessage {
  return notice(`${done}: ${digestName(digest)}.${rest}`, next && button(...next, digest.id));
}

function formatNextTime({ nextDue, schedule }: Digest) {
  return nextDue === undefined ? '' : ` Next: ${formatRun(nextDue, schedule.zone)}.`;
}
