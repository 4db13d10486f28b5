import { reportNamed } from '../../catalogue/index.js';
import { describeAlert } from '../../digests/alert-outlook.js';
import type { Digest, DigestDraft } from '../../digests/digest.js';
import { formatDay, formatMoment, formatPlural } from '../../figures/format/values.js';
import { formatTitle } from '../../figures/summary/request.js';
import { formatCondition } from '../../requests/alert-condition.js';
import { describeCadence } from '../../requests/cadence-words.js';
import { formatRequest } from '../../requests/parse-request.js';
import type { ReportRequest } from '../../requests/request.js';
import { compact, displayText } from '../../requests/text.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import {
  bold,
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
import { managerActions } from './managers.js';
import { notice } from './notices.js';
import { person } from './saved-reports.js';

/** Actions on digests. The value is the digest's ID unless stated otherwise. */
export const digestActions = {
  /** Shows a digest with its actions, under its answers. */
  manage: 'digest_manage',
  /** Saves a draft. The value is the draft's ID. */
  confirm: 'digest_confirm',
  cancel: 'digest_cancel',
  /** Runs a draft for its maker alone. The value is the draft's ID. */
  testDraft: 'digest_test_draft',
  /** Runs the request of an open form for that person alone. Its form says which. */
  testForm: 'digest_test_form',
  /** Edits a draft. The value is the draft's ID. */
  editDraft: 'digest_edit_draft',
  test: 'digest_test',
  pause: 'digest_pause',
  resume: 'digest_resume',
  edit: 'digest_edit',
  sendNow: 'digest_send_now',
  handOver: 'digest_hand_over',
  /** The new owner answers an offer. The value is as `parseOffer` reads it. */
  accept: 'digest_accept',
  declineOffer: 'digest_decline',
  delete: 'digest_delete',
  undoDelete: 'digest_undo_delete',
  history: 'digest_history',
  /**
   * The menu with the actions above. A value is an action, the digest's ID and the page of the list, as `parseListView`
   * reads it.
   */
  menu: 'digest_menu',
  /** Shows another page of a list. Its value is as `parseListView` reads it. */
  earlier: 'digest_page_earlier',
  later: 'digest_page_later',
  /** The owner settles an unconfirmed run. The value is the run's ID. */
  arrived: 'digest_arrived',
  sendAgain: 'digest_send_again',
  fileArrived: 'digest_file_arrived',
  sendFileAgain: 'digest_send_file_again',
  /** Recovers from a failure. The value is the run's ID. */
  retry: 'digest_retry',
  asCsv: 'digest_as_csv',
  join: 'digest_join',
  /** The owner of an alert says whether a sudden drop of rows is true. The value is the run's ID. */
  dropIsTrue: 'digest_drop_is_true',
  dropIsFalse: 'digest_drop_is_false',
} as const;

/** `Engagement, every Monday at 09:00`, `Overdue assignments when overdue > 50, every day at 09:00` */
export function digestName({
  request,
  schedule,
  when,
  audience,
}: Pick<Digest, 'request' | 'schedule' | 'when' | 'audience'>): string {
  const forManagers = audience === 'managers' ? ' for each manager' : '';
  return displayText(
    `${watchedName({ request, when })}${forManagers}, ${describeCadence(schedule.cadence)}`,
    200,
  );
}

/** `Overdue assignments when overdue > 50` */
function watchedName({ request, when }: Pick<Digest, 'request' | 'when'>): string {
  const title = formatTitle({ report: reportNamed(request.report), request });
  return when ? `${title} when ${formatCondition(when)}` : title;
}

const skipEmptyForManagers = 'Nothing comes when nothing is left.';

/** Nothing is saved before the person presses Confirm. `shown` is the request as this person may read it. */
export function previewMessage(
  draftId: string,
  draft: DigestDraft,
  runs: readonly number[],
  remarks: readonly string[],
  shown: ReportRequest = draft.request,
): OutgoingMessage {
  const { request, cadence, zone, when, channel, skipEmpty, changes, audience } = draft;
  const title = formatTitle({ report: reportNamed(request.report), request });
  const comes = `${describeCadence(cadence)}, ${zone}`;
  const head = changes ? 'Change this digest?' : 'Schedule this?';
  const next = runs.map((run) => formatRun(run, zone));
  const alert = when ? describeAlert({ when, request }) : [];
  return {
    text: escaped(compact(`${head} ${title}, ${comes}. Next: ${next.join('; ')}.`, alert).join(' ')),
    blocks: compact(
      header(head),
      richTextLines([
        `${title}, ${displayText(comes, 300)}, to `,
        audience === 'managers'
          ? 'each manager, their own team, in direct messages'
          : richChannel(channel, 'your direct messages with me'),
        '.',
      ]),
      richTextLines([code(`/report ${formatRequest(shown)}`, 600)]),
      section(runs.length > 1 ? `The next ${runs.length} times:` : 'The next time:'),
      bulletList(...next),
      alert.map((line) => context(line)),
      skipEmpty && context(audience ? skipEmptyForManagers : 'Skipped when there are no results.'),
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

/** Asks admins whether a digest may go to many managers. The lines are those of its rehearsal. */
export function managersApprovalMessage(
  { request, cadence, zone, when }: DigestDraft,
  maker: string,
  value: string,
  lines: readonly string[],
): OutgoingMessage {
  const name = `${watchedName({ request, when })}, ${describeCadence(cadence)}, ${zone}`;
  return {
    text: escaped(`Somebody wants to send each manager their own team’s: ${name}`),
    blocks: [
      richTextLines([
        person(maker),
        ' wants to send each manager their own team’s: ',
        bold(displayText(name, 300)),
        '.',
      ]),
      richTextLines([code(`/report ${formatRequest(request)}`, 600)]),
      ...lines.map((line) => context(line)),
      buttons(
        button(managerActions.confirm, 'Confirm', value, 'primary'),
        button(managerActions.refuse, 'Not now', value),
      ),
    ],
  };
}

/**
 * What an alert would have done at each of its last runs.
 *
 * @param lines the oldest run first; none: it has not run
 */
export function lookBackMessage(
  alert: Pick<DigestDraft, 'request' | 'when'>,
  lines: readonly string[],
): OutgoingMessage {
  const name = displayText(watchedName(alert), 200);
  if (lines.length === 0)
    return notice(
      `This alert has not run yet: ${name}. Its first run posts nothing, because later runs are compared with it.`,
    );
  const runs = formatPlural(lines.length, ['run', 'runs']);
  const head = `What this alert would have done at its last ${runs}: ${name}.`;
  return { text: escaped(`${head} ${lines.join('; ')}.`), blocks: [section(head), bulletList(...lines)] };
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
