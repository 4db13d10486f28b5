import { describe, expect, it } from 'vitest';
import { isBuilder } from './building.js';
import { beforeNextPress, schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isSummary, newIn } from './watching.js';

const noah = 'U00NOAH001';
const work = testWorkspace(() => ({ environment: { ROLLCALL_ADMINS: noah } }));
const { say } = schedulingAt(work);

/** Ada sets a digest up; Noah, an admin, has the list of the channel before him. */
async function listedToNoah(line: string, channel: string) {
  const { slack } = work();
  const preview = await say(line, channel);
  await slack.as('ada').click(preview, 'Confirm');
  await slack.waitForMessage(channel, (message) => message.ts === preview.ts && message.says('Scheduled.'));
  return say('/report list', channel, 'noah');
}

/** Waits until the bot has acknowledged an event: two sockets may bring it what follows first. */
function heard(event: string) {
  const { slack } = work();
  return slack.waitFor(() =>
    slack.inspector.entries().some(({ title, state }) => title.includes(event) && state === 'ok'),
  );
}

describe('an owner', () => {
  it('who left the channel a moment ago gets nothing sent there, and can hand the digest over', async () => {
    const { slack } = work();
    const list = await listedToNoah('/report schedule engagement last-week daily 3:00', '#learning');
    const sendNow = () => slack.as('noah').click(list, 'Send now');
    // Who is in the channel is known from this one on.
    await newIn(work(), '#learning', sendNow, isSummary('Engagement'), 8000);

    slack.as('ada').cleanUp('#learning');
    await heard('member_left_channel');
    await beforeNextPress();
    const told = await newIn(work(), '@ada', sendNow, (message) => message.says('Not sent: '), 8000);
    expect(told.words).toContain('Its owner is no longer a member of the channel.');
    expect(told.words).toContain('Hand over');
    expect(slack.messages('#learning').filter(isSummary('Engagement'))).toHaveLength(1);

    // Back in the channel: the same run goes out.
    slack.as('ada').join('#learning');
    const again = () => slack.as('ada').click(told, 'Try again');
    await newIn(work(), '#learning', again, isSummary('Engagement'), 8000);
    expect(slack.refusals).toEqual([]);
  }, 40_000);

  it('who comes back has it go on by trying again, though three failures had paused it', async () => {
    const { slack } = work();
    const list = await listedToNoah('/report schedule tracks last-month quarterly 1 09:00', '#people-team');
    const sendNow = () => slack.as('noah').click(list, 'Send now');
    slack.as('ada').cleanUp('#people-team');
    await heard('member_left_channel');
    const fails = (words: string) => newIn(work(), '@ada', sendNow, (message) => message.says(words), 8000);
    await fails('Not sent: ');
    await fails('Not sent: ');
    const told = await fails('It is now paused after three failures in a row.');
    slack.as('noah').invite('#people-team', 'ada');
    const again = () => slack.as('ada').click(told, 'Try again');
    await newIn(work(), '#people-team', again, isSummary('Track'), 8000);
    await slack.waitForMessage('@ada', (one) => one.ts === told.ts && one.says('It is no longer paused.'));
    expect((await say('/report list', '#people-team', 'noah')).words).toContain('Next:');
  }, 40_000);

  it('who becomes a guest is told, and an admin hands the digest over: it comes again', async () => {
    const { slack } = work();
    const list = await listedToNoah('/report schedule tracks last-month quarterly 1 09:00', '#sales');
    slack.as('ada').changeProfile({ kind: 'guest' });
    await heard('user_change');
    const sendNow = () => slack.as('noah').click(list, 'Send now');
    const told = await newIn(work(), '@noah', sendNow, (message) => message.says('is paused.'), 8000);
    expect(told.words).toContain('Its owner can no longer request reports.');
    await slack.waitForMessage('@ada', (message) =>
      message.says('is paused. Its owner can no longer request'),
    );

    await slack.as('noah').click(told, 'Hand over');
    await slack.as('noah').waitForModal();
    await slack.as('noah').submit({ owner: noah });
    const now = await say('/report list', '#sales', 'noah');
    expect(now.words).toContain(`Owned by <@${noah}>`);
    expect(now.words).not.toContain('Paused');
    const send = () => slack.as('noah').click(now, 'Send now');
    const post = await newIn(work(), '#sales', send, (message) => message.says('Set up by'), 8000);
    expect(post.words).toContain(`Set up by <@${noah}>`);
    expect(slack.refusals).toEqual([]);
  }, 40_000);
});

describe('a test', () => {
  it('shows what the channel will see, and says what goes elsewhere', async () => {
    const { slack } = work();
    const preview = await say('/report schedule overdue csv daily 17:00', '#sales', 'noah');
    const sendTest = () => slack.as('noah').click(preview, 'Send me a test');
    const test = await newIn(work(), '@noah', sendTest, isSummary('Overdue'), 8000);
    expect(test.words).toContain(
      'A test: this is what the channel will see. The file names people, so it comes to its owner’s direct messages.',
    );
    const ask = () => slack.as('noah').command('/report overdue', '#sales');
    const there = await newIn(work(), '#sales', ask, isSummary('Overdue'), 8000);
    expect(test.text.split('\n')[0]).toBe(there.text.split('\n')[0]);
    expect(test.words).not.toMatch(/\w@\w/);
  });

  it('shows the same in the form of a digest, for the channel and the time zone in the form', async () => {
    const who = work().slack.as('noah');
    const line = '/report schedule overdue csv daily 17:00 Pacific/Kiritimati';
    const preview = await say(line, '#sales', 'noah');
    await who.click(preview, 'Edit');
    await who.waitForModal(isBuilder);
    const test = () =>
      newIn(work(), '@noah', () => who.click('modal', 'Send me a test'), isSummary('Overdue'), 8000);
    const forChannel = await test();
    expect(forChannel.words).toContain(
      'A test: this is what the channel will see. The file names people, so it comes to its owner’s direct messages.',
    );
    expect(forChannel.words).toContain('Pacific/Kiritimati');
    expect(forChannel.words).not.toContain('Longest overdue');
    await who.close();
    who.fill({ digest_channel: null });
    const forNoah = await test();
    expect(forNoah.words).not.toContain('A test');
    expect(forNoah.words).toContain('Longest overdue');
  });
});
