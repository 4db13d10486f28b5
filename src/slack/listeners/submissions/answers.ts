import { allReports } from '../../../catalogue/index.js';
import { ok } from '../../../errors/result.js';
import { requestIsPersonLevel } from '../../../requests/person-level.js';
import type { Asker } from '../../../requests/request.js';
import type { RequestLogEntry } from '../../../store/requests/request-log.js';
import { answerRequest } from '../../answer-request.js';
import { releasedNow, scopeOfPerson } from '../../answer-rights.js';
import { answerExpired } from '../../find-answer.js';
import { inputs, views } from '../../ids.js';
import { describeAccessRefusal } from '../../messages/access-levels.js';
import { notice } from '../../messages/notices.js';
import { postingRefusal } from '../../request-context.js';
import type { Route } from '../../router.js';
import type { ListenerParts } from '../context.js';
import { readPurpose, rejectForm, submission, type ValidateForm } from './submission.js';

/** Releases a key: a metadata field that may appear in any channel. */
const releaseKey: ValidateForm = async (form, parts) => {
  const subject = form.text(inputs.key).trim();
  // A field of type object, a full stop and a member.
  const [, flag] = /^([^.]+)\../.exec(subject) ?? [];
  if (flag === undefined)
    return rejectForm('Type a column, a full stop and a field inside it, as in user_metadata.cost_center.');
  if (!allReports.some(({ fields }) => fields.some((field) => field.flag === flag)))
    return rejectForm(`No report has a column ${flag.slice(0, 60)}.`);
  const purpose = readPurpose(form, parts);
  if (!purpose.ok) return purpose;
  const { store, clock } = parts;
  return ok(async () => {
    const at = clock.now();
    await store.approvals.releaseKey({ subject, by: form.asker.id, at, purpose: purpose.value });
  });
};

/** Within this time, two forms from a double press share a summary once. */
const repeatWindowMs = 60_000;

const alreadyShared = 'You just shared this there, so it was not posted again.';

/** Share to channel: runs the report again, by the rules of that channel. */
function share(): ValidateForm {
  const sharedAt = new Map<string, number>();

  return async ({ asker, context, metadata: [requestId = ''], text, reply }, parts) => {
    const wasShared = (share: string) =>
      parts.clock.now() - (sharedAt.get(share) ?? -repeatWindowMs) < repeatWindowMs;
    const channel = text(inputs.channel);
    const entry = await parts.store.requestLog.find(requestId);
    if (entry?.asker !== asker.id) return rejectForm(answerExpired);
    const share = [asker.id, requestId, channel].join(' ');
    const problem = wasShared(share) ? alreadyShared : await validateShare(entry, channel, asker, parts);
    if (problem !== undefined) return rejectForm(problem);
    return ok(async () => {
      if (wasShared(share)) return reply(notice(alreadyShared));
      for (const shared of sharedAt.keys()) if (!wasShared(shared)) sharedAt.delete(shared);
      sharedAt.set(share, parts.clock.now());
      // Without rows, which a channel may get but the people in it did not ask for.
      const totals = { file: undefined, showRows: undefined, columns: undefined };
      const request = { ...entry.request, ...totals, toMe: false };
      const options = {
        me: entry.asker,
        isRepeat: true,
        isShare: true,
        range: entry.range,
        choseFilters: false,
      };
      await answerRequest(request, { ...context, channel }, parts, options);
    });
  };
}

async function validateShare(entry: RequestLogEntry, channel: string, asker: Asker, parts: ListenerParts) {
  const released = await releasedNow(parts);
  if (requestIsPersonLevel(entry.request, released)) {
    return 'This summary names people, so it stays in your direct messages.';
  }
  // Without its file, a request of the team would become one of everybody.
  const scope = await scopeOfPerson(entry.request, asker, parts, 'direct', released);
  if (!scope.ok) return describeAccessRefusal(scope.refusal);
  if (scope.value.rows === 'team') {
    return 'This summary is limited to your team, so it stays in your direct messages. Ask again without the file to share totals.';
  }
  return postingRefusal(channel, asker.id, parts);
}

export const answerFormRoutes = (): readonly Route[] => [
  submission(views.share, 'member', share()),
  submission(views.releaseKey, 'admin', releaseKey),
];
