import { sixReports } from '../../../catalogue/index.js';
import { inputs } from '../../ids.js';
import type { ListenerParts } from '../context.js';
import { refuse, submission } from './submission.js';

/** An admin names a key that may go to any channel. */
export function releaseKeySubmission(parts: ListenerParts) {
  return submission(parts, async ({ asker, input }) => {
    const key = (input(inputs.key)?.value ?? '').trim();
    if (!parts.admins.includes(asker.id)) return refuse('Only admins can release keys.');
    const problem = problemWith(key);
    if (problem !== undefined) return refuse(problem);
    const { store, clock } = parts;
    return {
      async commit() {
        await store.approvals.releaseKey({ subject: key, by: asker.id, at: clock.now() });
        return [];
      },
    };
  });
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
