import { ada as adaPerson } from '../../playground/slack/server/workspace/seed.js';
import type { DigestSettings } from '../../src/digests/digest.js';
import { plainRequest } from '../../src/requests/request.js';
import {
  type DigestTestWorkspace,
  openTestWorkspace,
  settings,
  type TestWorkspaceOptions,
} from './test-workspace.js';

/* Digests for managers, and what their service says. */

export const day = 86_400_000;
/** A Monday, 09:00 in Berlin. */
export const monday = Date.parse('2026-11-23T08:00:00Z');

export interface Row {
  readonly manager: string | null;
  readonly person: string;
  readonly item?: string;
  readonly days?: number;
  /** Another one for the same person and item is a renewed assignment. */
  readonly assignment?: string;
}

export function rows(...all: readonly Row[]): string {
  return JSON.stringify(
    all.map(({ manager, person, item = 'Fire safety', days = 3, assignment = `${person}-${item}` }) => ({
      manager_email: manager,
      email: `${person}@example.com`,
      userid: person,
      first_name: person,
      last_name: '',
      content_id: item,
      content_title: item,
      assignment_id: assignment,
      assignment_status: days > 0 ? 'not_started' : 'completed',
      assigned_date: '2026-01-01T00:00:00Z',
      due_date: new Date(monday - days * day - 12 * 3_600_000).toISOString(),
      completed_date: days > 0 ? null : '2026-01-02T00:00:00Z',
    })),
  );
}

export const schedule = {
  cadence: { kind: 'weekly', days: ['mon'], time: '09:00' },
  zone: 'Europe/Berlin',
  firstDay: '2026-11-02',
} as const;

export const forManagers: Partial<DigestSettings> = {
  request: { ...plainRequest('assignments'), view: 'overdue' },
  schedule,
  audience: 'managers',
  channel: settings.channel,
};

/** A digest that was set up before the hour of Monday, in a workspace where that has just come. */
export async function dueNow(more: TestWorkspaceOptions = {}, changes: Partial<DigestSettings> = {}) {
  const workspace = await openTestWorkspace({ now: monday + 1000, ...more });
  const at = workspace.clock.now();
  const zones = [adaPerson.zone];
  const { id } = await workspace.digest({ ...forManagers, zones, ...changes }, monday);
  await workspace.store.digests.change(id, 1, { nextDue: monday, coveredUntil: at - 7 * day });
  const digest = await workspace.store.digests.find(id);
  if (!digest) throw new Error('The digest is not there');
  return { workspace, digest };
}

/** What a person got from Rollcall in direct messages, without lines about runs. */
export async function direct({ slack, parts }: DigestTestWorkspace, user: string) {
  const channel = await parts.channels.directWith(user);
  return slack.posts.filter(
    (post) => post.channel === channel && !post.text.includes(' for each manager, every Monday at 09:00'),
  );
}

export const ended = (run: { readonly state: string }) => ['posted', 'skipped', 'failed'].includes(run.state);

/** How a run of a digest for managers ended. */
export async function endOf({ store }: DigestTestWorkspace, { id }: { readonly id: string }) {
  return (await store.managerReaders.findEnds([id])).get(id);
}
