import { defaultSeed, type Seed } from '../../playground/slack/server/workspace/seed.js';
import type { DigestSettings } from '../../src/digests/digest.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';

/** The number of people who own the digests, in equal shares. */
const usualOwners = 20;

export function channelId(n: number): string {
  return `C0${String(n).padStart(8, '0')}`;
}

export function ownerId(n: number, owners: number): string {
  return `U0${String(n % owners).padStart(8, '0')}`;
}

/** A workspace with that many channels, each with one of the owners and the bot. */
export function companyOf(channels: number, owners = usualOwners): Seed {
  const [someone] = defaultSeed.people;
  if (!someone) throw new Error('The workspace has no people');
  return {
    ...defaultSeed,
    people: Array.from({ length: owners }, (_, n) => ({
      ...someone,
      id: ownerId(n, owners),
      handle: `owner${n}`,
      email: `owner${n}@example.com`,
    })),
    channels: Array.from({ length: channels }, (_, n) => ({
      id: channelId(n),
      kind: 'public',
      name: `channel-${n}`,
      members: [ownerId(n, owners), defaultSeed.bot.user],
    })),
    openChannel: channelId(0),
  };
}

/** The digest of a channel: totals of last week by one of several requests, daily at a time in UTC. */
export function digestOf(n: number, requests: number, time: string, owners = usualOwners): DigestSettings {
  const departments = { object: 'user_filter', member: 'departments', entries: [`Team ${n % requests}`] };
  const request: ReportRequest = {
    ...plainRequest('engagement'),
    range: 'last-week',
    filters: [departments],
  };
  return {
    channel: channelId(n),
    owner: ownerId(n, owners),
    request,
    schedule: { cadence: { kind: 'daily', time }, zone: 'UTC', firstDay: '2026-11-20' },
    skipEmpty: false,
  };
}
