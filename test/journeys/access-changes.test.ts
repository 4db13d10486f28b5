import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

/** A channel for each test: one that was shared once stays without approval. */
const channels = Array.from({ length: 10 }, (_, index) => ({
  id: `C00CHANGE${index}`,
  kind: 'public' as const,
  name: `change-${index}`,
  members: ['U00ADA0001', 'U00NOAH001', 'U00ROLLCAL'],
}));
const seed = { ...defaultSeed, channels: [...defaultSeed.channels, ...channels] };

/** An admin approves the others by hand. */
const configured = channels.filter((_, index) => index < 7 || index === 9).map(({ id }) => id);

const work = testWorkspace(() => ({
  slack: { seed },
  environment: { PERSON_LEVEL_CHANNELS: configured.join(','), ROLLCALL_ADMINS: 'U00ADA0001' },
}));
const { say } = schedulingAt(work);

const withNames = 'completions last-month by:manager_email';
/** Of the learners and managers that the service knows. */
const address = /@rollcall\.example/;
const hasFile = ({ files }: { readonly files: readonly unknown[] }) => files.length > 0;

type Change = (channel: string) => void;

const share: Change = (channel) => work().slack.as('ada').share(channel);
const withdraw: Change = (channel) =>
  inDatabase('DELETE FROM approved_channels WHERE channel = ?', idOf(channel));
const narrow: Change = () =>
  inDatabase(
    `INSERT INTO access_rules VALUES ('T00LEARN01', 'person', ?, '', 'totals', 'U00ADA0001', 1)`,
    'U00NOAH001',
  );
const widen = () => inDatabase('DELETE FROM access_rules WHERE subject = ?', 'U00NOAH001');
const approve = (channel: string) =>
  inDatabase(
    `INSERT OR IGNORE INTO approved_channels (workspace, channel, approved_by, approved_at)
     VALUES ('T00LEARN01', ?, 'U00ADA0001', 1)`,
    idOf(channel),
  );

function idOf(name: string): string {
  return channels.find((channel) => `#${channel.name}` === name)?.id ?? name;
}

function inDatabase(statement: string, value: string): void {
  const database = new Sqlite(join(work().folder, 'rollcall.db'));
  database.prepare(statement).run(value);
  database.close();
}

/** Slack takes the next post to a channel only after a second, and the change happens before that. */
function changeBeforeSecondTry(channel: string, change: Change, to = idOf(channel)): () => boolean {
  let hasHappened = false;
  work().slack.faults.set(
    'chat.postMessage',
    { kind: 'ratelimited', retryAfter: 1 },
    {
      when(args) {
        if (args.channel !== to || hasHappened) return false;
        hasHappened = true;
        change(channel);
        return true;
      },
    },
  );
  return () => hasHappened;
}

/** The change happens while a file is uploaded, before it is shared. */
function changeDuringUpload(channel: string, change: Change): () => boolean {
  let hasHappened = false;
  work().slack.faults.set(
    'upload',
    { kind: 'slow', milliseconds: 50 },
    {
      when() {
        hasHappened = true;
        change(channel);
        return true;
      },
    },
  );
  return () => hasHappened;
}

/** What others see in a channel. */
function publicIn(channel: string) {
  return work()
    .slack.messages(channel)
    .filter((message) => !isPrivate(message));
}

const notice = (message: { readonly words: string }) => !message.words.includes('Running');

describe('a request by hand', () => {
  it('posts names to an approved channel where nothing changes', async () => {
    const channel = '#change-9';
    const ask = () => work().slack.as('noah').command(`/report ${withNames}`, channel);
    await newIn(work(), channel, ask, ({ words }) => address.test(words));
  });

  it('posts no names to a channel that becomes shared between two tries', async () => {
    const channel = '#change-0';
    const happened = changeBeforeSecondTry(channel, share);
    const line = await newIn(
      work(),
      channel,
      () => work().slack.as('noah').command(`/report ${withNames}`, channel),
      (message) => isPrivate(message) && notice(message),
    );
    expect(happened()).toBe(true);
    expect(line.words).not.toMatch(address);
    expect(publicIn(channel).filter(({ words }) => address.test(words))).toEqual([]);
  }, 20_000);

  it('shares no file in a channel that becomes shared after the upload', async () => {
    const channel = '#change-1';
    const happened = changeDuringUpload(channel, share);
    const line = await newIn(
      work(),
      channel,
      () => work().slack.as('noah').command('/report engagement last-month csv', channel),
      isPrivate,
    );
    expect(happened()).toBe(true);
    expect(line.words).not.toMatch(address);
    await work().slack.settled();
    expect(publicIn(channel).some(hasFile)).toBe(false);
  }, 20_000);

  it('posts no names after an admin withdrew the approval between two tries', async () => {
    const channel = '#change-7';
    approve(channel);
    const happened = changeBeforeSecondTry(channel, withdraw);
    await newIn(
      work(),
      channel,
      () => work().slack.as('noah').command(`/report ${withNames}`, channel),
      (message) => isPrivate(message) && notice(message),
    );
    expect(happened()).toBe(true);
    expect(publicIn(channel).filter(({ words }) => address.test(words))).toEqual([]);
  }, 20_000);

  it('answers with no more than the level that was set between two tries', async () => {
    const direct = 'D00NOAHBOT';
    const happened = changeBeforeSecondTry('@noah', narrow, direct);
    const { slack } = work();
    const told = await newIn(
      work(),
      '@noah',
      async () => slack.as('noah').message(withNames, '@noah'),
      (message) => message.words !== withNames && notice(message),
      10_000,
    ).finally(widen);
    expect(happened()).toBe(true);
    expect(told.words).not.toMatch(address);
    expect(slack.messages('@noah').some(({ words }) => address.test(words))).toBe(false);
  }, 20_000);
});

describe('CSV under an answer', () => {
  it('shares no file in a channel that becomes shared after the upload', async () => {
    const channel = '#change-2';
    const { slack } = work();
    const summary = await newIn(
      work(),
      channel,
      () => slack.as('noah').command('/report engagement last-month', channel),
      (message) => !isPrivate(message) && message.words.includes('CSV'),
    );
    const happened = changeDuringUpload(channel, share);
    await newIn(work(), channel, () => slack.as('ada').click(summary, 'CSV'), isPrivate);
    expect(happened()).toBe(true);
    await slack.settled();
    expect(publicIn(channel).some(hasFile)).toBe(false);
  }, 20_000);

  it('shares no file with somebody whose level was narrowed after the upload', async () => {
    const channel = '#change-3';
    const { slack } = work();
    const summary = await newIn(
      work(),
      channel,
      () => slack.as('ada').command('/report engagement last-month', channel),
      (message) => !isPrivate(message) && message.words.includes('CSV'),
    );
    const happened = changeDuringUpload(channel, narrow);
    await newIn(work(), channel, () => slack.as('noah').click(summary, 'CSV'), isPrivate).finally(widen);
    expect(happened()).toBe(true);
    await slack.settled();
    expect(publicIn(channel).some(hasFile)).toBe(false);
    expect(slack.messages('@noah').some(hasFile)).toBe(false);
  }, 20_000);
});

describe('a digest', () => {
  /** Noah schedules it, and sends it now. */
  async function sendNow(line: string, channel: string) {
    const { slack } = work();
    const preview = await say(line, channel, 'noah');
    await slack.as('noah').click(preview, 'Confirm');
    await slack.waitForMessage(channel, (one) => one.ts === preview.ts && one.says('Scheduled.'));
    const list = await say('/report list', channel, 'noah');
    return () => slack.as('noah').click(list, 'Send now');
  }

  it('posts no names to a channel that becomes shared between two tries', async () => {
    const channel = '#change-4';
    const send = await sendNow(`/report schedule ${withNames} daily 3:00`, channel);
    const happened = changeBeforeSecondTry(channel, share);
    const redirected = (message: { readonly words: string }) => message.words.includes('Comes every day');
    await newIn(work(), '@noah', send, redirected, 12_000);
    expect(happened()).toBe(true);
    expect(publicIn(channel).filter(({ words }) => address.test(words))).toEqual([]);
  }, 30_000);

  it('shares no file in a channel that becomes shared after the upload', async () => {
    const channel = '#change-5';
    const send = await sendNow('/report schedule engagement last-month csv daily 3:00', channel);
    const happened = changeDuringUpload(channel, share);
    await newIn(work(), '@noah', send, hasFile, 12_000);
    expect(happened()).toBe(true);
    expect(publicIn(channel).some(hasFile)).toBe(false);
  }, 30_000);

  it('shares no file in a channel whose approval was withdrawn after the upload', async () => {
    const channel = '#change-8';
    approve(channel);
    const send = await sendNow('/report schedule engagement last-month csv daily 3:00', channel);
    const happened = changeDuringUpload(channel, withdraw);
    await newIn(work(), '@noah', send, hasFile, 12_000);
    expect(happened()).toBe(true);
    expect(publicIn(channel).some(hasFile)).toBe(false);
  }, 30_000);

  it('posts nothing that the level of its owner no longer allows', async () => {
    const channel = '#change-6';
    const send = await sendNow(`/report schedule ${withNames} daily 3:00`, channel);
    const happened = changeBeforeSecondTry(channel, narrow);
    const told = await newIn(
      work(),
      '@noah',
      send,
      (message) => /Not sent|is paused|It is now paused/.test(message.words),
      12_000,
    ).finally(widen);
    expect(happened()).toBe(true);
    expect(told.words).not.toMatch(address);
    expect(publicIn(channel).filter(({ words }) => address.test(words))).toEqual([]);
  }, 30_000);
});
