import type { ChannelKind } from '../page-shapes.js';
import type { Person, UserGroup } from './records.js';

interface SeedChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly topic?: string;
  readonly members: readonly string[];
  readonly archived?: boolean;
  readonly shared?: boolean;
  readonly sharePending?: boolean;
  readonly readOnly?: boolean;
}

export interface Seed {
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly bot: {
    readonly user: string;
    readonly botId: string;
    readonly appId: string;
    readonly name: string;
    readonly handle: string;
  };
  readonly people: readonly Person[];
  readonly channels: readonly SeedChannel[];
  readonly userGroups: readonly Pick<UserGroup, 'id' | 'handle' | 'name' | 'users'>[];
  /** The channel that the page opens first. */
  readonly openChannel: string;
}

const team = { id: 'T00LEARN01', name: 'Lindgren & Co', domain: 'lindgren' };
const otherTeam = 'T00OTHER01';
const bot = {
  user: 'U00ROLLCAL',
  botId: 'B00ROLLCAL',
  appId: 'A00ROLLCAL',
  name: 'Rollcall',
  handle: 'rollcall',
};

const person = (
  more: Pick<Person, 'id' | 'handle' | 'name' | 'title' | 'zone' | 'colour'> & Partial<Person>,
): Person => ({
  email: `${more.handle}@example.com`,
  locale: 'en-US',
  kind: 'member',
  team: team.id,
  initials: more.name
    .split(' ')
    .map((word) => word.slice(0, 1))
    .join(''),
  ...more,
});

export const ada = person({
  id: 'U00ADA0001',
  handle: 'ada',
  name: 'Ada Moreau',
  title: 'Head of Learning',
  zone: 'Europe/Berlin',
  kind: 'admin',
  colour: '#7a4fb3',
});
export const noah = person({
  id: 'U00NOAH001',
  handle: 'noah',
  name: 'Noah Okafor',
  title: 'Sales team lead',
  zone: 'America/New_York',
  colour: '#1f7a5c',
});
export const priya = person({
  id: 'U00PRIYA01',
  handle: 'priya',
  name: 'Priya Raman',
  title: 'Support agent',
  zone: 'Asia/Kolkata',
  locale: 'en-GB',
  colour: '#b3541f',
});
/** Only the playground has her: another manager, in the zone of Ada. */
export const lena = person({
  id: 'U00LENA001',
  handle: 'lena',
  name: 'Lena Vogt',
  title: 'Support team lead',
  zone: 'Europe/Berlin',
  colour: '#2f6d9e',
});
const gil = person({
  id: 'U00GIL0001',
  handle: 'gil',
  name: 'Gil Santos',
  title: 'Guest trainer',
  zone: 'Europe/Lisbon',
  kind: 'guest',
  colour: '#5c6b7a',
});
const sofia = person({
  id: 'U00SOFIA01',
  handle: 'sofia',
  name: 'Sofia Lindqvist',
  title: 'Partner, Nordlicht',
  email: 'sofia@nordlicht.example',
  zone: 'Europe/Stockholm',
  kind: 'external',
  team: otherTeam,
  colour: '#a3355f',
});

const staff = [ada.id, noah.id, priya.id];

/** The playground's workspace. It has a channel of each kind that the bot treats differently. */
export const defaultSeed: Seed = {
  team,
  bot,
  people: [ada, noah, priya, gil, sofia],
  channels: [
    {
      id: 'C00LEARN01',
      kind: 'public',
      name: 'learning',
      topic: 'What we learn, and how it goes',
      members: [...staff, gil.id, bot.user],
    },
    {
      id: 'C00GENER01',
      kind: 'public',
      name: 'general',
      topic: 'Everybody',
      members: [...staff, bot.user],
    },
    {
      id: 'C00SALES01',
      kind: 'public',
      name: 'sales',
      topic: 'The sales team',
      members: [ada.id, noah.id, bot.user],
    },
    {
      id: 'C00WATER01',
      kind: 'public',
      name: 'watercooler',
      topic: 'The bot is not in here',
      members: staff,
    },
    {
      id: 'C00ANNOU01',
      kind: 'public',
      name: 'announcements',
      topic: 'Read only',
      members: [...staff, bot.user],
      readOnly: true,
    },
    {
      id: 'C00PEOPL01',
      kind: 'private',
      name: 'people-team',
      topic: 'Private, with the bot',
      members: [ada.id, noah.id, bot.user],
    },
    {
      id: 'C00BOARD01',
      kind: 'private',
      name: 'leadership',
      topic: 'Private, without the bot',
      members: [ada.id, noah.id],
    },
    {
      id: 'C00PARTN01',
      kind: 'public',
      name: 'partner-academy',
      topic: 'Shared with Nordlicht',
      members: [ada.id, sofia.id, bot.user],
      shared: true,
    },
    {
      id: 'C00PILOT01',
      kind: 'private',
      name: 'partner-pilot',
      topic: 'About to be shared with Nordlicht',
      members: [ada.id, bot.user],
      sharePending: true,
    },
    {
      id: 'C00OLDAC01',
      kind: 'public',
      name: 'old-academy',
      topic: 'Archived',
      members: [ada.id, bot.user],
      archived: true,
    },
    ...[ada, noah, priya, gil, sofia].map((one) => ({
      id: `D00${one.handle.toUpperCase()}BOT`.slice(0, 11),
      kind: 'im' as const,
      name: '',
      members: [one.id, bot.user],
    })),
    { id: 'D00ADANOAH', kind: 'im', name: '', members: [ada.id, noah.id] },
    { id: 'C00TRIO001', kind: 'mpim', name: 'mpdm-ada--noah--priya-1', members: staff },
  ],
  userGroups: [
    { id: 'S00COACH01', handle: 'coaches', name: 'Coaches', users: [ada.id, noah.id] },
    { id: 'S00MANAG01', handle: 'managers', name: 'Managers', users: [noah.id] },
  ],
  openChannel: 'C00LEARN01',
};
