import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { refusedBlocks } from '../../src/slack/delivery/post-message.js';
import { openStore, type Store } from '../../src/store/store.js';
import { freshFolder } from '../store/fresh-folder.js';
import { listeningBot, payloadFor } from './listeners/listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
  await store.useWorkspace('T1');
});
afterEach(() => store.close());

interface Button {
  readonly text: { readonly text: string };
  readonly value: string;
}

/** What somebody who types a command is told, and the buttons under it by their text. */
async function replyTo(text: string) {
  const access = { accessOf: async () => ({ level: 'everything' }), isAdmin: async () => false };
  const changes = { access, refused: refusedBlocks(() => 0) } as never;
  const { calls, deliver } = listeningBot({ store, changes });
  await deliver({ ...payloadFor({ kind: 'command', name: '/report' }), text } as never);
  const told = calls.find(({ method }) => method === 'response_url' || method === 'chat.postEphemeral');
  const blocks = (told?.args.blocks ?? []) as { readonly type: string; readonly elements?: Button[] }[];
  const buttons = blocks.filter(({ type }) => type === 'actions').flatMap(({ elements = [] }) => elements);
  return {
    said: String(told?.args.text),
    buttons: Object.fromEntries(buttons.map(({ text, value }) => [text.text, value])),
  };
}

async function save(name: string, request: Partial<ReportRequest>) {
  const report = { channel: 'C1', name, request: { ...plainRequest('tracks'), ...request }, createdBy: 'U1' };
  expect((await store.savedReports.save(report, 1, { inChannel: 9 })).ok).toBe(true);
}

describe('a refused command', () => {
  it('is put right at once, and fills the form with the same', async () => {
    const { said, buttons } = await replyTo('enagement lst-week csvv');
    expect(said).toBe(
      "I don't understand “enagement”, “lst-week” and “csvv”. Did you mean this?\n/report engagement last-week csv",
    );
    expect(buttons).toEqual({
      'Run this': 'engagement last-week csv',
      'Open the form': 'engagement last-week csv',
    });
  });

  it('offers no command where a word has no near one, and fills the form with the rest', async () => {
    const { said, buttons } = await replyTo('schedule tracks lst-week xyzzy weekly mon 9');
    expect(said).toMatch(/^I don't understand “lst-week xyzzy”/);
    expect(buttons['Run this']).toBeUndefined();
    expect(buttons['Open the form']).toBe('schedule tracks last-week weekly mon 9');
  });

  it('opens an empty form where nothing fits into a button', async () => {
    const { buttons } = await replyTo(`tracks departments:${'x'.repeat(2_100)} lst-week`);
    expect(buttons).toEqual({ 'Open the form': '-' });
  });

  it.each([
    ['xyzzy last-week departments:Sales', 'assignments last-week departments:Sales'],
    ['engagement xyzzy last-week', 'engagement last-week'],
  ])('fills the form with the rest, also where its words are no sentence: %s', async (typed, understood) => {
    expect((await replyTo(typed)).buttons['Open the form']).toBe(understood);
  });

  it.each([
    ['schedule engagement last-week', /^How often\?/, 'schedule engagement last-week'],
    ['schedule engagement last-week daily', /The time of day is missing/, 'schedule engagement last-week'],
  ])('says what is missing to save or schedule: %s', async (typed, sentence, understood) => {
    const { said, buttons } = await replyTo(typed);
    expect(said).toMatch(sentence);
    expect(buttons).toEqual({ 'Open the form': understood });
  });

  it.each([
    ['save last-week: tracks', /begins with a range/, 'save My last-week: tracks'],
    ['save list of mine:  tracks', /a command of its own/, 'save My list of mine: tracks'],
    [`save ${'x'.repeat(70)}: tracks`, /60 characters at most/, `save ${'x'.repeat(60)}: tracks`],
  ])('offers a name that can be saved: %s', async (typed, sentence, corrected) => {
    const { said, buttons } = await replyTo(typed);
    expect(said).toMatch(sentence);
    expect(buttons).toEqual({ 'Run this': corrected, 'Open the form': corrected });
  });

  it('has the words after a saved name put right too, by what they mean there', async () => {
    await save('Weekly sales', {});
    const { said, buttons } = await replyTo('weekly sals onyl:stalled csvv');
    expect(said).toMatch(/“weekly sals”, “onyl:” and “csvv”/);
    expect(buttons['Run this']).toBe('Weekly sales only:stalled csv');
    const { buttons: alone } = await replyTo('weekly sales onyl:stalled csvv');
    expect(alone['Run this']).toBe('weekly sales only:stalled csv');
    const schedule = await replyTo('schedule weekly sales onyl:stalled csvv daily 9');
    expect(schedule.buttons['Run this']).toBe('schedule weekly sales only:stalled csv daily 9');
    const alert = await replyTo('schedule weekly sales onyl:stalled when people &gt; 9 csvv daily 9');
    expect(alert.buttons['Run this']).toBe('schedule weekly sales only:stalled csv when people > 9 daily 9');
  });

  it('is not put right by leaving out a word without a correction, also with words after a saved name', async () => {
    await save('Weekly sales', {});
    for (const typed of ['onyl:stalled daily 9 xyzzy', 'onyl:stalled when people > 9 xyzzy daily 9']) {
      const { said, buttons } = await replyTo(`schedule weekly sales ${typed}`);
      expect(said).toMatch(/“xyzzy”/);
      expect(Object.keys(buttons)).toEqual(['Open the form']);
      expect(buttons['Open the form']).toContain('schedule weekly sales only:stalled ');
    }
  });

  it('is not put right with a saved report that has no such state', async () => {
    await save('Weekly sales', { report: 'engagement' });
    const { said, buttons } = await replyTo('weekly sals only:stalled');
    expect(said).toMatch(/no state “stalled” in engagement: only: takes active or inactive/);
    expect(buttons).toEqual({ 'Open the form': 'Weekly sales' });
  });

  it.each([
    ['save Mine: engagement 2090 Q1', '“2090 Q1”'],
    ['save Mine: due assigned:2090', '“assigned:2090”'],
    ['schedule engagement since: 2090 daily 9', 'since: 2090 would not have begun'],
    ['schedule due assigned: 2090 daily 9', 'assigned: 2090 would not have begun'],
  ])('quotes the range as typed: %s', async (text, quoted) => {
    expect((await replyTo(text)).said).toContain(quoted);
  });
});
