import type { AllMiddlewareArgs, BlockButtonAction, SlackActionMiddlewareArgs } from '@slack/bolt';
import { sixReports } from '../../../catalogue/index.js';
import { goneFrom, sayGone, withoutGone } from '../../../requests/removed-fields.js';
import { plainRequest } from '../../../requests/request.js';
import { type BuilderDoor, openBuilder } from '../../modals/builder/open.js';
import type { ListenerParts } from '../context.js';
import { pressedIn } from './press.js';

/** Change: the builder, filled with what an answer was asked with. */
export function changeButton(parts: ListenerParts) {
  return builderButton(parts, (value) => async () => {
    const ask = await parts.store.asks.find(value);
    if (!ask) return 'I do not remember that report any more. Ask for it again.';
    const gone = goneFrom(ask.request);
    const remark = `Some of what was asked is not there any more, and left out: ${sayGone(gone)}.`;
    return { request: withoutGone(ask.request), remarks: gone.length > 0 ? [remark] : [] };
  });
}

/** Open the form: the builder, on a report where one was named. */
export function openBuilderButton(parts: ListenerParts) {
  return builderButton(parts, (value) => {
    const report = sixReports.find(({ name }) => name === value);
    return report && (async () => ({ request: plainRequest(report.name) }));
  });
}

/** A button that opens the builder, which looks up the presser by itself: its trigger does not wait. */
export function builderButton(
  parts: ListenerParts,
  fill: (value: string) => BuilderDoor['fill'] | undefined,
) {
  return async ({ body, action, ack }: SlackActionMiddlewareArgs<BlockButtonAction> & AllMiddlewareArgs) => {
    await ack();
    const from = pressedIn(body, parts);
    const { action_id, value = '' } = action;
    const filling = fill(value);
    await openBuilder(
      {
        triggerId: body.trigger_id,
        asker: body.user.id,
        answerUrl: body.response_url,
        retry: { action: action_id, value: value === '' ? '-' : value },
        ...(from ? { from } : {}),
        ...(filling ? { fill: filling } : {}),
      },
      parts,
    );
  };
}
