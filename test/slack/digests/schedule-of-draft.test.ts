import { expect, it } from 'vitest';
import type { DigestDraft } from '../../../src/digests/digest.js';
import { plainRequest } from '../../../src/requests/request.js';
import type { Cadence } from '../../../src/schedule/cadence.js';
import { nextRuns } from '../../../src/schedule/next-runs.js';
import { scheduleOfDraft } from '../../../src/slack/digests/validate.js';
import { openStore } from '../../../src/store/store.js';
import { addDigest } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';

const folder = freshFolder();
const fortnightly = (time: string, day: 'thu' | 'fri' = 'fri', weeks = 2): Cadence => ({
  kind: 'every-weeks',
  weeks,
  days: [day],
  time,
});

it.each([
  ['another time', fortnightly('16:30'), 'UTC', '2026-12-04T16:30:00.000Z'],
  ['another zone', fortnightly('16:00'), 'Asia/Tokyo', '2026-12-04T07:00:00.000Z'],
  ['another day of the same weeks', fortnightly('16:00', 'thu'), 'UTC', '2026-11-26T16:00:00.000Z'],
  ['nothing else', fortnightly('16:00'), 'UTC', '2026-12-04T16:00:00.000Z'],
  ['another number of weeks', fortnightly('16:00', 'fri', 3), 'UTC', '2026-11-27T16:00:00.000Z'],
] as const)(
  'an edit with %s continues to count weeks if their number stays the same',
  async (_change, cadence, zone, next) => {
    const store = await openStore(folder.databaseWithTables(), Date.now);
    // The first run was on Friday 20 November. The edit is on the Wednesday after.
    const schedule = { cadence: fortnightly('16:00'), zone: 'UTC', firstDay: '2026-11-20' };
    const { id, revision } = await addDigest(store, Date.parse('2026-12-04T16:00Z'), { schedule });
    const now = Date.parse('2026-11-25T12:00Z');
    const draft: DigestDraft = {
      request: plainRequest('engagement'),
      channel: 'C1',
      owner: 'U1',
      cadence,
      zone,
      skipEmpty: false,
      changes: { id, revision },
    };
    const [run = 0] = nextRuns(await scheduleOfDraft(draft, store, now), now, 1);
    expect(new Date(run).toISOString()).toBe(next);
    await store.close();
  },
);
