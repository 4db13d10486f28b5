import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccessEvent } from '../../src/access/record.js';
import type { FileDestination, ShareFile } from '../../src/slack/delivery/upload.js';
import { openStore, type Store } from '../../src/store/store.js';
import { freshFolder } from '../store/fresh-folder.js';
import { type BotChoices, listeningBot, payloadFor, pressOf } from './listeners/listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const today = Date.parse('2026-11-20T09:00Z');
const day = 86_400_000;

const people: Record<string, { name: string; email: string }> = {
  U1: { name: 'Ada', email: 'Ada@example.com' },
  U2BOB0000: { name: 'Bob Park', email: 'bob@example.com' },
};

const shared: { channel: string; text: string }[] = [];

/** A bot in whose Slack Ada (U1) is the only admin. */
function bot(changes: BotChoices['changes'] = {}) {
  const made = listeningBot({
    store,
    changes: {
      files: {
        pathFor: (id: string) => folder.path(`${id}.csv`),
        remove: async () => {},
        close: async () => {},
      },
      async share({ path }: Parameters<ShareFile>[0]) {
        return async ({ channel }: FileDestination) => {
          shared.push({ channel, text: readFileSync(path, 'utf8') });
          return { fileId: 'F1' };
        };
      },
      people: {
        find: async (id: string) => ({ id, standing: 'member', zone: 'UTC', ...people[id] }),
        invalidate() {},
      },
      channels: {
        find: async () => ({
          known: true,
          isMember: true,
          isShared: false,
          isArchived: false,
          isPrivate: false,
          isReadOnly: false,
        }),
        directWith: async (user: string) => `D${user}`,
        invalidate() {},
      },
      interactive: {
        users: {
          list: async () => ({
            members: Object.entries(people).map(([id, { name }]) => ({
              id,
              name: name.split(' ')[0],
              real_name: name,
            })),
          }),
          lookupByEmail: async ({ email }: { email: string }) => {
            const found = Object.entries(people).find(([, person]) => person.email.toLowerCase() === email);
            if (!found) throw new Error('users_not_found');
            return { user: { id: found[0] } };
          },
        },
        conversations: { list: async () => ({ channels: [{ id: 'C0LEARNING', name: 'learning' }] }) },
      },
      ...changes,
    } as unknown as BotChoices['changes'],
  });
  const messages = () =>
    made.calls
      .filter(({ method }) => method === 'chat.postMessage')
      .map(({ args }) => ({ channel: args.channel, words: JSON.stringify(args), blocks: args.blocks }));
  const replies = () =>
    made.calls.filter(({ method }) => method === 'response_url').map(({ args }) => String(args.text));
  const audit = async (words: string, user = 'U1') => {
    const { calls } = made;
    calls.length = 0;
    const body = payloadFor({ kind: 'command', name: '/report' });
    await made.deliver({ ...body, text: `audit ${words}`, user_id: user });
    return { messages: messages(), replies: replies() };
  };
  const press = async (action: string, value: string, channel = 'DU1', user = 'U1') => {
    made.calls.length = 0;
    await made.deliver({
      ...pressOf(action, value),
      user: { id: user, team_id: 'T1', name: 'x' },
      channel: { id: channel, name: 'x' },
      container: { type: 'message', channel_id: channel, message_ts: '5.5' },
    });
    return made.calls;
  };
  return { ...made, audit, press };
}

/** The value of a button, by its action. */
function buttonValue(message: { readonly blocks: unknown } | undefined, action: string): string | undefined {
  for (const block of (message?.blocks ?? []) as { elements?: { action_id?: string; value?: string }[] }[]) {
    const found = block.elements?.find(({ action_id }) => action_id === action);
    if (found) return found.value;
  }
  return undefined;
}

const record = (event: Partial<AccessEvent>) => store.events.append({ kind: 'asked', at: today, ...event });

describe('/report audit', () => {
  it('goes to the direct messages of the admin, with one line in the channel', async () => {
    await record({
      person: 'U2BOB0000',
      place: 'C0LEARNING',
      report: 'tracks',
      details: { words: 'tracks' },
    });
    const { messages, replies } = await bot().audit('');
    expect(messages.map(({ channel }) => channel)).toEqual(['DU1']);
    expect(messages[0]?.words).toContain('Bob Park');
    expect(messages[0]?.words).toContain('/report tracks');
    expect(replies).toEqual(['I sent it to your direct messages.']);
  });

  it('names the user group of a rule, or shows its ID where Slack does not tell', async () => {
    const subject = { kind: 'group', id: 'S00MANAGERS' } as const;
    await store.accessRules.set({ subject, level: 'team' }, { by: 'U1', at: today });
    const groups = async () => [{ id: 'S00MANAGERS', handle: 'managers', name: 'Managers' }];
    const told = bot({ userGroups: { all: groups } } as unknown as BotChoices['changes']);
    expect((await told.audit('')).messages[0]?.words).toContain('group @managers: team');
    const untold = bot({ userGroups: { all: async () => undefined } } as unknown as BotChoices['changes']);
    expect((await untold.audit('')).messages[0]?.words).toContain('group S00MANAGERS: team');
  });

  it('says in words who searched, whose upload failed and who read the record', async () => {
    const person = 'U2BOB0000';
    await record({ kind: 'searched', person, details: { field: 'content', text: 'gdpr' } });
    await record({ kind: 'upload-failed', person, details: { file: 'tracks.csv' } });
    await record({ kind: 'record-read', person, details: { title: 'What Ada did', as: 'file' } });
    await record({ kind: 'record-read', details: { title: 'Since 2026-11-01', as: 'command-line' } });
    // An erasure leaves no details.
    await record({ kind: 'record-read', person });
    const [page] = (await bot().audit('')).messages;
    const [, list] = (page?.blocks ?? []) as { elements: { elements: { text: string }[] }[] }[];
    const lines = list?.elements.map(({ elements }) => elements.map(({ text }) => text).join(''));
    expect(lines?.map((line) => line.replace(/^.* {2}/, '').trim())).toEqual([
      'Bob Park read the record',
      'The command line read the record: Since 2026-11-01',
      'Bob Park read the record: What Ada did as a file',
      'Bob Park got no file, because its upload failed: tracks.csv',
      'Bob Park searched for gdpr (in content)',
    ]);
  });

  it('records who read it, about whom, and does not show that reading', async () => {
    shared.length = 0;
    await record({ person: 'U2BOB0000', details: { words: 'tracks' } });
    const ada = bot();
    const [did] = (await ada.audit('@Bob Park')).messages;
    expect(did?.words).not.toContain('read the record');
    await ada.press('audit_file', buttonValue(did, 'audit_file') ?? '');
    expect(shared).toHaveLength(1);
    expect(shared[0]?.text).not.toContain('read the record');
    shared.length = 0;
    await ada.audit('', 'U2BOB0000');
    const read = await store.events.oldest({ kinds: ['record-read'] }, 9);
    expect(read.map(({ person, subjects, details }) => [person, [...subjects].sort(), details])).toEqual([
      [
        'U1',
        ['U2BOB0000', 'bob@example.com'],
        { title: 'What Bob Park did; What others did that names Bob Park', as: 'message' },
      ],
      ['U1', ['U2BOB0000', 'bob@example.com'], { title: 'What Bob Park did', as: 'file' }],
    ]);
  });

  it('shows nothing where the reading cannot be recorded', async () => {
    const append = async () => {
      throw new Error('The disk is full');
    };
    const { messages, replies } = await bot({
      store: { ...store, events: { ...store.events, append } },
    } as unknown as BotChoices['changes']).audit('');
    expect(messages).toEqual([]);
    expect(replies).toEqual([expect.stringContaining('Try again')]);
  });

  it('is for admins alone, and so are its buttons', async () => {
    await record({ person: 'U1', details: { words: 'tracks' } });
    const ada = bot();
    const refused = await ada.audit('', 'U2BOB0000');
    expect(refused).toEqual({ messages: [], replies: [expect.stringContaining('Only admins')] });
    const value = buttonValue((await ada.audit('')).messages[0], 'audit_file') ?? '';
    for (const action of ['audit_newer', 'audit_older', 'audit_file']) {
      // In the channel of somebody else, or by somebody who is no admin.
      for (const [channel, user] of [
        ['C1', 'U1'],
        ['DU2BOB0000', 'U2BOB0000'],
      ]) {
        const calls = await ada.press(action, value, channel, user);
        expect(JSON.stringify(calls)).toContain('Only admins');
        expect(JSON.stringify(calls)).not.toContain('tracks');
      }
    }
    expect(shared).toEqual([]);
  });

  it('is limited to a report, a channel and a range', async () => {
    await record({ person: 'U1', report: 'tracks', details: { words: 'tracks' } });
    await record({
      person: 'U1',
      report: 'engagement',
      place: 'C0LEARNING',
      details: { words: 'engagement' },
    });
    await record({ person: 'U1', at: today - day, report: 'tracks', details: { words: 'tracks yesterday' } });
    const ada = bot();
    const shows = async (words: string) => {
      const [message] = (await ada.audit(words)).messages;
      return [...(message?.words ?? '').matchAll(/"\/report ([^"]*)"/g)].map(([, asked]) => asked);
    };
    expect(await shows('')).toEqual(['tracks yesterday', 'engagement', 'tracks']);
    expect(await shows('track-status')).toEqual(['tracks yesterday', 'tracks']);
    expect(await shows('#learning')).toEqual(['engagement']);
    expect(await shows('C0LEARNING')).toEqual(['engagement']);
    expect(await shows('tracks yesterday')).toEqual(['tracks yesterday']);
    expect(await shows('today tracks')).toEqual(['tracks']);
  });

  it('has the events of this second in a range that ends now', async () => {
    const now = Date.parse('2026-11-20T12:00Z') + 700;
    await record({ person: 'U1', at: now - 1, details: { words: 'tracks' } });
    const ada = bot({ clock: { now: () => now } } as BotChoices['changes']);
    expect((await ada.audit('today')).messages[0]?.words).toContain('/report tracks');
  });

  it.each([
    ['@bob', 'Bob Park'],
    ['@Bob Park', 'Bob Park'],
    ['<@U2BOB0000|bob>', 'Bob Park'],
    ['bob@example.com', 'bob@example.com'],
  ])('lists for %s what they did, and apart from it what others did that names them', async (typed, name) => {
    await record({ person: 'U2BOB0000', details: { words: 'assessments' } });
    await record({
      person: 'U1',
      subjects: ['bob@example.com'],
      details: { words: 'tracks email:bob@example.com' },
    });
    await record({
      person: 'U1',
      subjects: ['eve@example.com'],
      details: { words: 'tracks email:eve@example.com' },
    });
    const { messages } = await bot().audit(typed);
    expect(messages).toHaveLength(2);
    const [did, named] = messages;
    expect(did?.words).toContain(`What ${name} did`);
    expect(did?.words).toContain('assessments');
    expect(did?.words).not.toContain('email:bob');
    expect(named?.words).toContain(`What others did that names ${name}`);
    expect(named?.words).toContain('email:bob');
    expect(named?.words).not.toContain('assessments');
    expect(named?.words).not.toContain('eve@');
  });

  it('says how many files may hold a person without naming them', async () => {
    const exported = (people: string) =>
      record({ kind: 'exported', person: 'U1', report: 'tracks', details: { people, file: 'x.csv' } });
    for (const people of ['everybody', 'everybody', 'some', 'named']) await exported(people);
    await record({ kind: 'exported', person: 'U1', report: 'workshops', details: { people: 'everybody' } });
    const { messages } = await bot().audit('@bob');
    expect(messages[1]?.words).toContain('2 exported files had no filter on people');
    expect(messages[1]?.words).toContain('1 exported file of teams');
  });

  it.each([
    ['@nobody', 'No member is called nobody. Type an email address or a Slack user ID.'],
    ['#nowhere', 'I see no channel #nowhere. Invite me there, or type its ID.'],
    ['tomorrow', 'I can’t'],
  ])('refuses %s with the way on', async (typed, sentence) => {
    const { messages, replies } = await bot().audit(typed);
    expect(messages).toEqual([]);
    expect(replies.join().replace("can't", 'can’t')).toContain(sentence);
  });

  it('mentions nobody, whatever is in the record', async () => {
    await record({
      person: 'U1',
      details: { words: 'tracks email:<!channel> <@U1>' },
      subjects: ['<!here>@x.org'],
    });
    const { messages } = await bot().audit('');
    expect(messages[0]?.words).not.toMatch(/"type":"user"|"type":"broadcast"|"type":"mrkdwn"/);
  });
});

describe('pages of the record', () => {
  it('lead from the newest event to the oldest and back, without gaps', async () => {
    for (let index = 1; index <= 30; index += 1) {
      await record({ person: 'U1', at: today + index, details: { words: `tracks ${index};` } });
    }
    const ada = bot();
    const numbers = (words: string) =>
      [...words.matchAll(/tracks (\d+);/g)].map(([, number]) => Number(number));
    const [first] = (await ada.audit('')).messages;
    const seen = [numbers(first?.words ?? '')];
    let page = first as { readonly blocks: unknown } | undefined;
    const turn = async (action: string) => {
      const [replaced] = (await ada.press(action, buttonValue(page, action) ?? '')).filter(
        ({ method }) => method === 'response_url',
      );
      page = replaced?.args as { readonly blocks: unknown } | undefined;
      return numbers(JSON.stringify(replaced?.args));
    };
    seen.push(await turn('audit_older'), await turn('audit_older'));
    expect(seen.flat()).toEqual(Array.from({ length: 30 }, (_none, index) => 30 - index));
    expect(buttonValue(page, 'audit_older')).toBeUndefined();
    expect(await turn('audit_newer')).toEqual(seen[1]);
    expect(await turn('audit_newer')).toEqual(seen[0]);
    expect(buttonValue(page, 'audit_newer')).toBeUndefined();
  });

  it('fit Slack’s limits with the longest contents', async () => {
    const details = { words: `tracks ${'departments:Ä'.repeat(400)}` };
    const subjects = Array.from(
      { length: 90 },
      (_none, index) => `person${index}@${'long'.repeat(12)}.example`,
    );
    for (let index = 0; index < 13; index += 1) await record({ person: 'U1', subjects, details });
    const [message] = (await bot().audit(`@${'Bob Park'} last-month`)).messages;
    expect(message).toBeDefined();
    const [page] = (await bot().audit('')).messages;
    expect(JSON.stringify(page?.blocks).length).toBeLessThan(12_000);
    for (const action of ['audit_older', 'audit_file']) {
      expect(buttonValue(page, action)?.length ?? 0).toBeLessThan(2_000);
    }
  });
});

describe('the file of the record', () => {
  it('has every event, comes to the direct messages, and is itself recorded', async () => {
    shared.length = 0;
    for (let index = 1; index <= 600; index += 1) {
      await record({ person: 'U1', place: 'D1', details: { words: `=tracks ${index}` } });
    }
    const ada = bot();
    const [page] = (await ada.audit('')).messages;
    await ada.press('audit_file', buttonValue(page, 'audit_file') ?? '');
    const [file] = shared;
    expect(file?.channel).toBe('DU1');
    const rows = parse(file?.text ?? '', { columns: true, bom: true });
    expect(rows).toHaveLength(600);
    expect(rows[0]).toMatchObject({ number: '1', event: 'asked', person: 'U1', place: 'direct' });
    const [last] = await store.events.newest({}, 1);
    expect(last).toMatchObject({
      kind: 'exported',
      person: 'U1',
      place: 'direct',
      details: { rowCount: 600 },
    });
  });

  it('is not sent if that cannot be recorded', async () => {
    shared.length = 0;
    await record({ person: 'U1', details: { words: 'tracks' } });
    let isFull = false;
    const append = async (event: AccessEvent) => {
      if (isFull) throw new Error('disk full');
      return store.events.append(event);
    };
    const events = { ...store.events, append };
    const ada = bot({ store: { ...store, events } } as BotChoices['changes']);
    const [page] = (await ada.audit('')).messages;
    isFull = true;
    const calls = await ada.press('audit_file', buttonValue(page, 'audit_file') ?? '');
    expect(shared).toEqual([]);
    expect(JSON.stringify(calls)).toContain('The file was not sent, because it could not be recorded.');
  });
});
