import { describe, expect, it } from 'vitest';
import { ada as adaPerson, noah as noahPerson, priya } from '../../playground/slack/server/workspace/seed.js';
import type { DigestSettings } from '../../src/digests/digest.js';
import { plainRequest } from '../../src/requests/request.js';
import { answer } from '../reporting-api/fault-server.js';
import { ada, type DigestTestWorkspace, noah, openTestWorkspace, settings } from './test-workspace.js';

const day = 86_400_000;
/** A Monday, 09:00 in Berlin. */
const monday = Date.parse('2026-11-23T08:00:00Z');

interface Row {
  readonly manager: string | null;
  readonly person: string;
  readonly item?: string;
  readonly days?: number;
}

function rows(...all: readonly Row[]): string {
  return JSON.stringify(
    all.map(({ manager, person, item = 'Fire safety', days = 3 }) => ({
      manager_email: manager,
      email: `${person}@example.com`,
      userid: person,
      first_name: person,
      last_name: '',
      content_id: item,
      content_title: item,
      assignment_id: `${person}-${item}`,
      assignment_status: days > 0 ? 'not_started' : 'completed',
      assigned_date: '2026-01-01T00:00:00Z',
      due_date: new Date(monday - days * day - 12 * 3_600_000).toISOString(),
      completed_date: days > 0 ? null : '2026-01-02T00:00:00Z',
    })),
  );
}

const forManagers: Partial<DigestSettings> = {
  request: { ...plainRequest('assignments'), view: 'overdue' },
  schedule: {
    cadence: { kind: 'weekly', days: ['mon'], time: '09:00' },
    zone: 'Europe/Berlin',
    firstDay: '2026-11-02',
  },
  audience: 'managers',
  channel: settings.channel,
};

/** What a person got from Rollcall in direct messages, without lines about runs. */
async function direct({ slack, parts }: DigestTestWorkspace, user: string) {
  const channel = await parts.channels.directWith(user);
  return slack.posts.filter(
    (post) => post.channel === channel && !post.text.startsWith('Overdue assignments for each manager'),
  );
}

const ended = (run: { readonly state: string }) => ['posted', 'skipped', 'failed'].includes(run.state);

describe('a digest for managers', () => {
  it('sends each manager the rows of their own people, in waves of their zones, and tells its owner', async () => {
    const workspace = await openTestWorkspace({ now: monday - 13 * 3_600_000 });
    const { service, scheduler, clock, store } = workspace;
    service.always(
      answer(
        rows(
          { manager: 'priya@example.com', person: 'p1' },
          { manager: 'priya@example.com', person: 'p2', days: -2 },
          { manager: 'ADA@example.com', person: 'p3', item: 'First aid', days: 9 },
          { manager: 'noah@example.com', person: 'p4' },
          { manager: 'nobody@example.com', person: 'p5' },
          { manager: 'gil@example.com', person: 'p6' },
          { manager: null, person: 'p7' },
          { manager: 'ada@example.com', person: 'ada' },
        ),
      ),
    );
    const zones = [priya.zone, adaPerson.zone, noahPerson.zone];
    const digest = await workspace.digest({ ...forManagers, zones }, Date.parse('2026-11-23T03:30:00Z'));
    scheduler.start();
    clock.moveBy(8.6 * 3_600_000);
    const first = await workspace.run(digest, ended);
    expect(first).toMatchObject({ state: 'posted', rows: 1, dueAt: Date.parse('2026-11-23T03:30:00Z') });
    const [toPriya] = await direct(workspace, priya.id);
    expect(toPriya?.text).toContain('1 of your 2 people has 1 overdue assignment.');
    expect(toPriya?.text).toContain('p1: Fire safety, 3 days overdue');
    expect(await direct(workspace, noah)).toHaveLength(0);

    clock.moveBy(4.5 * 3_600_000);
    const second = await workspace.run(digest, (run) => ended(run) && run.dueAt === monday);
    expect(second).toMatchObject({ state: 'posted', rows: 1 });
    const toAda = (await direct(workspace, ada)).map(({ text }) => text);
    expect(toAda.join('\n')).toContain('p3: First aid, 9 days overdue');
    expect(toAda.join('\n')).not.toContain('p1');
    const end = (await store.managerReaders.findEnds([second.id])).get(second.id);
    expect(end).toMatchObject({ sent: 1, withoutManager: 1, ownManager: 1 });
    expect(end?.notReached).toEqual(
      expect.arrayContaining([{ who: 'nobody@example.com', why: 'no-account' }]),
    );
    clock.moveBy(6 * 3_600_000);
    await workspace.run(digest, (run) => ended(run) && run.dueAt === Date.parse('2026-11-23T14:00:00Z'));
    expect(await direct(workspace, noah)).toHaveLength(1);
    expect(await direct(workspace, priya.id)).toHaveLength(1);
    const next = await store.digests.find(digest.id);
    expect(next?.nextDue).toBe(Date.parse('2026-11-30T03:30:00Z'));
  }, 30_000);
});
