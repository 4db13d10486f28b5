import { reportNamed } from '../../catalogue/index.js';
import type { DigestDraft } from '../../digests/draft.js';
import { sayDay, sayMoment } from '../../figures/format/dates.js';
import { sayTitle } from '../../figures/format/request.js';
import { showable } from '../../figures/format/showable.js';
import { sayCadenceForPeople } from '../../requests/say-cadence.js';
import { sayRequest } from '../../requests/say-request.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { digestActions } from '../digest-ids.js';
import { escaped } from '../text.js';
import {
  bullets,
  button,
  buttons,
  channelLeaf,
  context,
  header,
  leaf,
  lines,
  plain,
  section,
} from './blocks.js';

/** What would be saved, with its next runs: nothing is before Confirm is pressed. */
export function previewMessage(
  draftId: string,
  draft: DigestDraft,
  runs: readonly number[],
  remarks: readonly string[],
): OutgoingMessage {
  const { request, cadence, zone, channel, skipEmpty, changes } = draft;
  const title = sayTitle({ report: reportNamed(request.report), request });
  const comes = `${sayCadenceForPeople(cadence)}, ${zone}`;
  const head = changes ? 'Change this digest?' : 'Schedule this?';
  const next = runs.map((run) => sayRun(run, zone));
  return {
    text: escaped(`${head} ${title}, ${comes}. Next: ${next.join('; ')}.`),
    blocks: [
      header(head),
      lines([
        leaf(`${title}, ${showable(comes, 300)}, to `),
        channelLeaf(channel, 'your direct messages with me'),
        leaf('.'),
      ]),
      lines([leaf(showable(`/report ${sayRequest(request)}`, 600), { code: true })]),
      section(plain(runs.length > 1 ? `The next ${runs.length} times:` : 'The next time:')),
      bullets(...next.map((line) => [leaf(line)])),
      ...(skipEmpty ? [context(plain('Times at which nothing is found are left out.'))] : []),
      ...remarks.map((remark) => context(plain(remark))),
      buttons(
        button(digestActions.confirm, 'Confirm', draftId, 'primary'),
        button(digestActions.testDraft, 'Test to me', draftId),
        button(digestActions.editDraft, 'Edit', draftId),
        button(digestActions.cancel, 'Cancel', draftId),
      ),
    ],
  };
}

/** `Mon 23 Nov 2026, 09:00, Europe/Berlin` */
export function sayRun(run: number, zone: string): string {
  const [, time = ''] = sayMoment(run, zone).split(', ');
  return `${sayDay(run, zone)}, ${time}, ${zone}`;
}
