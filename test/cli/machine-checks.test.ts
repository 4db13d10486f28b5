import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  checkClock,
  checkContent,
  checkSpace,
  checkZoneData,
  describeAddresses,
} from '../../src/cli/machine-checks.js';
import { minFreeBytes } from '../../src/reporting-api/answer/answer-file.js';
import { inspectDatabase } from '../../src/store/inspect.js';
import { openStore, type Store } from '../../src/store/store.js';
import { addDigest, hour } from '../store/digest-setup.js';
import { freshFolder } from '../store/fresh-folder.js';

describe('the addresses of members', () => {
  it.each([
    [
      { yes: 40, no: 0, nothing: 0 },
      {},
      true,
      'Slack says for 40 of 40 members that their address is confirmed.',
    ],
    [{ yes: 38, no: 2, nothing: 0 }, {}, true, 'The level team gives the others totals.'],
    [{ yes: 30, no: 2, nothing: 8 }, {}, true, 'set TRUST_SLACK_EMAIL=yes.'],
    [{ yes: 0, no: 2, nothing: 8 }, {}, false, 'Slack says for 0 of 10 members'],
    [{ yes: 0, no: 2, nothing: 8 }, { trustEmail: true }, true, 'adds those of whom it says nothing (8).'],
    [{ yes: 1, no: 1999, nothing: 0 }, { isPart: true }, true, 'for 1 of the first 2,000 members'],
  ])('%j with %j: %s', (said, more, isFine, words) => {
    const finding = describeAddresses(said, { isPart: false, ...more });
    expect(finding).toMatchObject({ subject: 'Addresses', ok: isFine });
    expect(finding.sentence).toContain(words);
  });
});

describe('the clock', () => {
  const slackTime = 'Fri, 20 Nov 2026 12:00:00 GMT';
  const at = Date.parse(slackTime);

  it('agrees with Slack’s within a minute', () => {
    expect(checkClock(slackTime, at + 60_000).ok).toBe(true);
    expect(checkClock(slackTime, at - 60_000).ok).toBe(true);
    expect(checkClock(null, at).ok).toBe(true);
  });

  it('is ahead or behind', () => {
    expect(checkClock(slackTime, at + 61_000)).toMatchObject({
      ok: false,
      sentence: 'This machine’s clock is 61 s ahead of Slack’s. Turn on time synchronization (NTP).',
    });
    expect(checkClock(slackTime, at - 7_200_000).sentence).toContain('is 7,200 s behind Slack’s');
  });
});

describe('the time zones', () => {
  const now = Date.UTC(2026, 10, 20);

  it('of this Node.js know the change', () => {
    expect(checkZoneData(process.versions.tz, now)).toMatchObject({ ok: true });
  });

  it('miss a change, or are old', () => {
    const before = checkZoneData('2024a', now, () => -4 * 3600);
    expect(before).toMatchObject({ ok: false });
    expect(before.sentence).toMatch(/^They are of version 2024a and miss a change of America\/Asuncion/);
    expect(checkZoneData('2023c', now)).toMatchObject({ ok: false });
    expect(checkZoneData(undefined, now).sentence).toContain('Their version is unknown');
  });
});

describe('the content of a database', () => {
  const folder = freshFolder();
  let store: Store;
  let path: string;
  beforeEach(async () => {
    path = folder.path('rollcall.db');
    store = await openStore(path, Date.now);
    return () => store.close();
  });

  const linesOf = async (hasConfiguredAdmins: boolean) => {
    const inspection = await inspectDatabase(path);
    if (!inspection) throw new Error('It is of an earlier version');
    return checkContent(inspection, hasConfiguredAdmins).map(({ ok, sentence }) => [ok, sentence]);
  };

  it('is good', async () => {
    await addDigest(store, hour);
    expect(await linesOf(false)).toEqual([
      [true, 'There are none.'],
      [true, 'Each has an owner, and none fails (1).'],
    ]);
  });

  it('has rules that nobody but owners can change', async () => {
    const actor = { by: 'U1', at: 1 };
    await store.accessRules.set({ subject: { kind: 'everyone' }, report: undefined, level: 'totals' }, actor);
    expect((await linesOf(false))[0]).toEqual([
      false,
      'There are rules (1) and no admin, so only the workspace’s owners can change them. Set ROLLCALL_ADMINS.',
    ]);
    expect((await linesOf(true))[0]?.[0]).toBe(true);
    await store.admins.add('U2', 'U1', 2);
    expect((await linesOf(false))[0]?.[0]).toBe(true);
  });

  it('has digests that fail and digests without an owner', async () => {
    const archived = await addDigest(store, hour);
    const left = await addDigest(store, hour, { channel: 'C2' });
    const byHand = await addDigest(store, hour, { channel: 'C3' });
    const deleted = await addDigest(store, hour, { channel: 'C4' });
    await addDigest(store, hour, { channel: 'C5', owner: 'U9' });
    const paused = { state: 'paused', nextDue: null } as const;
    await store.digests.change(archived.id, 1, { ...paused, pauseReason: 'is_archived' });
    await store.digests.change(left.id, 1, { ...paused, pauseReason: 'owner-left' });
    await store.digests.change(byHand.id, 1, { ...paused, pauseReason: 'by-hand' });
    await store.digests.change(deleted.id, 1, { ...paused, pauseReason: 'is_archived' });
    await store.digests.delete(deleted.id, 5);
    await store.erasePerson('U9');
    expect((await linesOf(true)).slice(1)).toEqual([
      [false, expect.stringContaining(`1 of 4 fail: ${archived.id} in C1 (is_archived). `)],
      [
        false,
        expect.stringMatching(/^2 of 4 have no owner: .* in C2 \(owner-left\), .* in C5 \(owner-erased\)\. /),
      ],
    ]);
  });
});

/* A real file system. Only root may mount one. */
const disk = mkdtempSync(join(tmpdir(), 'rollcall-space-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${minFreeBytes}`, 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (mounted) spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

describe('the free space', () => {
  it.skipIf(!mounted)('of a small disk is a problem', () => {
    const findings = checkSpace(join(disk, 'data', 'rollcall.db'));
    expect(findings.map(({ ok, sentence }) => [ok, sentence])).toEqual([
      [false, `Only 67 MB are free in ${disk}. Free some space, or use a larger disk.`],
      [false, `Only 67 MB are free in ${disk}. Free some space, or use a larger disk.`],
    ]);
  });
});
