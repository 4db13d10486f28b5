import { expect, it } from 'vitest';
import type { DigestDraft } from '../../../src/digests/digest.js';
import type { ListenerParts } from '../../../src/slack/answers/context.js';
import { pauseDigest, saveDigest } from '../../../src/slack/list/manage.js';
import { openStore } from '../../../src/store/store.js';
import { addDigest, hour, settings } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';

const folder = freshFolder();

it('a digest that is due when its edit is confirmed runs once on its old schedule, then on its new one', async () => {
  const due = Date.parse('2026-11-25T09:00Z');
  const now = due + 300;
  const store = await openStore(folder.path('rollcall.db'), () => now);
  const { id, revision } = await addDigest(store, due);
  const draft: DigestDraft = {
    request: settings.request,
    channel: 'C1',
    owner: 'U1',
    cadence: { kind: 'daily', time: '17:00' },
    zone: 'UTC',
    skipEmpty: false,
    changes: { id, revision },
  };
  const parts = { store, clock: { now: () => now } } as unknown as ListenerParts;
  const kept = await saveDigest(draft, 'U1', parts);
  expect(kept).toMatchObject({ ok: true, value: { nextDue: Date.parse('2026-11-25T17:00Z') } });
  expect(await store.ledger.history(id, 9)).toMatchObject([{ dueAt: due, state: 'queued', late: false }]);
  expect(now - due).toBeLessThan(hour);
  await store.close();
});

it('a digest that is paused by hand has that reason, and no next due time', async () => {
  const now = Date.parse('2026-11-25T09:00Z');
  const store = await openStore(folder.path('paused.db'), () => now);
  const digest = await addDigest(store, now + hour);
  expect(await pauseDigest(digest, { store, clock: { now: () => now } } as unknown as ListenerParts)).toBe(
    true,
  );
  const paused = await store.digests.find(digest.id);
  expect(paused).toMatchObject({ state: 'paused', pauseReason: 'by-hand' });
  expect(paused?.nextDue).toBeUndefined();
  await store.close();
});
