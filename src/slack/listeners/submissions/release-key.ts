import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import { sixReports } from '../../../reports/catalogue/index.js';
import { inputs } from '../../ids.js';
import type { ListenerParts } from '../parts.js';

/** An admin names a key that may go to any channel. */
export function releaseKeySubmission(parts: ListenerParts) {
  return async ({ ack, view, body }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs) => {
    const key = (view.state.values[inputs.key]?.[inputs.key]?.value ?? '').trim();
    const problem = parts.admins.includes(body.user.id) ? problemWith(key) : 'Only admins can release keys.';
    if (problem !== undefined) {
      await ack({ response_action: 'errors', errors: { [inputs.key]: problem } });
      return;
    }
    await parts.store.approvals.releaseKey({ subject: key, by: body.user.id, at: parts.clock.now() });
    await ack();
  };
}

/** A key is a field that may hold an object, a full stop, and a member: `user_metadata.cost_center`. */
function problemWith(key: string): string | undefined {
  const at = key.indexOf('.');
  const flag = key.slice(0, at);
  if (at <= 0 || at === key.length - 1) {
    return 'Write a field, a full stop and a member, such as user_metadata.cost_center.';
  }
  const known = sixReports.some(({ fields }) => fields.some((field) => field.flag === flag));
  return known ? undefined : `No report has a field ${flag.slice(0, 60)}.`;
}
