import type { CastMember } from './reporting-service/generator/people.js';
import type { LocalSlack } from './slack/server/local-slack.js';
import type { Introduction } from './slack/server/people/messages.js';
import type { Person } from './slack/server/workspace/records.js';
import { ada, defaultSeed, lena, noah, priya, type Seed } from './slack/server/workspace/seed.js';

// The people who show the levels of access: an admin, a manager and a learner. Lena is the learner's manager.

/** The channels where records of people may appear: #learning and #people-team. */
export const approvedChannels = ['C00LEARN01', 'C00PEOPL01'] as const;

/** The user group @managers. Its members see their teams. */
export const managers = 'S00MANAG01';

/** Their accounts at the Reporting Service. `manager_email:me` and `email:me` find records for them. */
export const cast: readonly CastMember[] = [
  castMember(ada, 'People', true),
  castMember(noah, 'Sales', true),
  castMember(priya, 'Support', false),
  castMember(lena, 'Support', true),
];

function castMember({ name, email }: Person, department: string, leads: boolean): CastMember {
  const [firstName = '', ...rest] = name.split(' ');
  return { department, leads, firstName, lastName: rest.join(' '), email };
}

const general = 'C00GENER01';
const directMessages = (person: Person) => `D00${person.handle.toUpperCase()}BOT`;

/** The usual workspace, and Lena. */
export const seed: Seed = {
  ...defaultSeed,
  people: defaultSeed.people.flatMap((person) => (person === priya ? [priya, lena] : [person])),
  channels: [
    ...defaultSeed.channels.map((channel) =>
      channel.id === general ? { ...channel, members: [...channel.members, lena.id] } : channel,
    ),
    { id: directMessages(lena), kind: 'im', name: '', members: [lena.id, defaultSeed.bot.user] },
  ],
  userGroups: defaultSeed.userGroups.map((group) =>
    group.id === managers ? { ...group, users: [...group.users, lena.id] } : group,
  ),
};

const notes: ReadonlyMap<string, string> = new Map([
  [ada.id, 'Admin: sees everything'],
  [noah.id, 'Manager: sees the team, and totals'],
  [priya.id, 'Learner: sees totals, and own records'],
  [lena.id, 'Manager: sees the team, and totals'],
]);

/** Shows in the list of people what each one may see. */
export function showNotes({ workspace }: LocalSlack): void {
  for (const [id, note] of notes) {
    const person = workspace.people.get(id);
    if (person) workspace.people.set(id, { ...person, note });
  }
}

/** What the welcome says to each of them, with three commands to try. */
export const introductions: readonly Introduction[] = [
  {
    user: ada.id,
    text: 'You are *Ada Moreau*, an admin. You see everything, and decide what others see.',
    commands: [
      { line: '/report engagement last-week' },
      { line: '/report overdue rows', channel: 'C00PEOPL01' },
      { line: '/report access', channel: directMessages(ada) },
    ],
  },
  {
    user: noah.id,
    text: 'You are *Noah Okafor*, a manager. You see the records of your team, and totals of everybody.',
    commands: [
      { line: '/report overdue manager_email:me', channel: directMessages(noah) },
      { line: '/report overdue by:grade', channel: general },
      { line: '/report what’s due next week' },
    ],
  },
  {
    user: priya.id,
    text: 'You are *Priya Raman*, a learner. You see totals of everybody, and your own records.',
    commands: [
      { line: '/report assignments email:me', channel: directMessages(priya) },
      { line: '/report overdue by:grade', channel: general },
      { line: '/report what do I still have to do', channel: directMessages(priya) },
    ],
  },
];

export const welcomeNote =
  'Records of people appear only in direct messages, <#C00LEARN01> and <#C00PEOPL01>. ' +
  'Switch to Ada, Noah or Priya at the top right to see what each may ask. ' +
  'The inspector shows the bot’s requests, and you can move the clock.';
