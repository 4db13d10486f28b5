import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Level } from '../../../src/access/levels.js';
import type { NamedPerson, NameSearch } from '../../../src/slack/directory/people-names.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, payloadFor } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const person = (name: string): NamedPerson => ({
  id: `U${name}`,
  email: `${name.toLowerCase()}@example.com`,
});

/** Everybody in Slack, by what they are called. */
const whole: Readonly<Record<string, readonly NamedPerson[]>> = {
  'noah okafor': [person('Noah')],
  ada: [person('Ada.Moreau')],
};
const part: Readonly<Record<string, readonly NamedPerson[]>> = {
  noah: [person('Noah')],
  ada: [person('Ada.Moreau'), person('Ada.Lovelace')],
  maria: [1, 2, 3, 4].map((n) => person(`Maria${n}`)),
};

function of(phrase: string) {
  const name = phrase.replace('@', '').toLowerCase();
  return { whole: whole[name] ?? [], part: part[name] ?? [] };
}

interface Choices {
  readonly level?: Level;
  readonly search?: NameSearch;
  /** The addresses that the service returns as the team of ada@example.com. */
  readonly team?: readonly string[] | Error;
}

/** What the asker reads, and what was searched. */
async function replyTo(text: string, { level = 'everything', search, team = [] }: Choices = {}) {
  let searches = 0;
  const asked: unknown[] = [];
  const names = {
    search: async () => {
      searches += 1;
      return search ?? { kind: 'found', of };
    },
  };
  const source = {
    async read({ body }: { body: { user_filter: { email: string } } }) {
      if (team instanceof Error) throw team;
      asked.push(body);
      return { records: team.includes(body.user_filter.email) ? 3 : 0, people: 1 };
    },
  };
  const access = {
    accessOf: async () => ({ level, address: 'ada@example.com' }),
    isAdmin: async () => false,
    admins: async () => [],
  };
  const changes = { names, access, source, smallestGroup: 1 } as never;
  const { deliver, calls } = listeningBot({ store, changes });
  await deliver({ ...payloadFor({ kind: 'command', name: '/report' }), text });
  return { reply: JSON.stringify(calls), searches, asked };
}

describe('a name in a sentence', () => {
  it.each([
    ['overdue for @Noah Okafor', '/report overdue email:noah@example.com'],
    ['what has Noah Okafor completed', '/report completions email:noah@example.com'],
    ['how is noah doing', '/report engagement email:noah@example.com'],
    ['overdue in @Noah Okafor’s team', '/report overdue manager_email:noah@example.com'],
    // With an `@`, the name is the one that Slack shows.
    ['overdue for @Ada', '/report overdue email:ada.moreau@example.com'],
  ])('is that of the person in Slack: %s', async (sentence, command) => {
    const { reply } = await replyTo(sentence);
    expect(reply).toContain(`I read: ${command}`);
  });

  it('of several people has a button for each, and of many is to be typed in full', async () => {
    const { reply } = await replyTo('overdue for Ada');
    expect(reply).toContain('Choose one.');
    for (const one of ['moreau', 'lovelace'])
      expect(reply).toContain(`/report overdue email:ada.${one}@example.com`);
    const many = await replyTo('overdue for Maria');
    expect(many.reply).toContain('“Maria” is the name of 4 people. Type more of it, or the email address.');
    expect(many.reply).not.toContain('/report overdue');
  });

  it('that nobody has is asked for by the address', async () => {
    const { reply } = await replyTo('overdue for @Nora');
    expect(reply).toContain(
      'I found no member by the name “@Nora”. Type the email address instead of the name.',
    );
    expect(reply).not.toContain('/report overdue');
  });

  it('that may as well be of a department is asked for by its filter, too', async () => {
    const { reply } = await replyTo('Is Logistics overdue');
    expect(reply).toContain(
      'I don’t know “Logistics”. For a person, type the email address; for anything else, its filter, as in departments:Logistics.',
    );
    expect((await replyTo('what has Nora Kim completed')).reply).not.toContain('departments:');
  });

  it.each<[NameSearch['kind'], string]>([
    ['slow', 'I am still reading the names in Slack. Try again in a minute, or type the email address.'],
    ['unreachable', 'Slack does not tell me names now. Type the email address'],
    ['too-many-people', 'This workspace has too many people to look up names. Type the email address'],
  ])('that cannot be searched is asked for by the address: %s', async (kind, said) => {
    const { reply } = await replyTo('overdue for @Noah', { search: { kind } as NameSearch });
    expect(reply).toContain(said);
  });

  it('is not searched where a sentence needs none', async () => {
    for (const sentence of [
      'overdue by team please',
      'engagement lst-week',
      'overdue except @Noah',
      'thanks',
    ]) {
      expect((await replyTo(sentence)).searches, sentence).toBe(0);
    }
  });
});

describe('a mention', () => {
  const mention = (text: string, level: Level = 'everything') => {
    const accessOf = async () => ({ level, address: 'ada@example.com' });
    const find = async (id: string) => ({
      id,
      standing: 'member',
      zone: 'UTC',
      email: `${id.toLowerCase()}@example.com`,
    });
    const changes = { access: { accessOf }, people: { find, invalidate() {} }, smallestGroup: 1 } as never;
    const { deliver, calls } = listeningBot({ store, changes });
    const payload = payloadFor({ kind: 'event', name: 'app_mention' });
    return deliver({ ...payload, event: { ...(payload.event as object), text: `<@UBOT> ${text}` } }).then(
      () => JSON.stringify(calls),
    );
  };

  it('is the person with that ID', async () => {
    expect(await mention('overdue for <@U0NOAH001>')).toContain(
      'I read: /report overdue email:u0noah001@example.com',
    );
  });

  it('names nobody to who may see no other people', async () => {
    expect(await mention('overdue for <@U0NOAH001>', 'totals')).not.toContain('u0noah001@example.com');
  });
});

describe('a name typed by somebody of another level', () => {
  it('is found by a manager in the own team alone', async () => {
    const own = await replyTo('overdue for @Noah Okafor', { level: 'team', team: ['noah@example.com'] });
    expect(own.reply).toContain('I read: /report overdue email:noah@example.com');
    expect(own.asked).toMatchObject([
      { user_filter: { email: 'noah@example.com', manager_email: 'ada@example.com' } },
    ]);
    for (const team of [[], new Error('The service is down')]) {
      const { reply } = await replyTo('overdue for @Noah Okafor', { level: 'team', team });
      expect(reply).toContain('I found no member by the name “@Noah”.');
      expect(reply).not.toContain('noah@example.com');
    }
  });

  it.each<Level>(['totals', 'nothing'])('is not searched for %s', async (level) => {
    const { reply, searches } = await replyTo('overdue for @Noah Okafor', { level });
    expect(searches).toBe(0);
    expect(reply).not.toContain('noah@example.com');
    expect(reply).toContain('You may see no records of other people.');
  });
});
