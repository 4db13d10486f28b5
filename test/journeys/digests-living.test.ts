import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { isBuilder, valuesOf } from './building.js';
import { isDigest, schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

const work = testWorkspace(() => ({
  environment: { PERSON_LEVEL_CHANNELS: '*', ROLLCALL_ADMINS: 'U00ADA0001' },
}));
const { as, say, scheduled, confirmed } = schedulingAt(work);

/** Chooses from the menu of the first digest of a list, and gives what is said of it. */
async function menu(choice: string, channel: string, who = 'ada') {
  const list = await say('/report list', channel, who);
  return newIn(work(), channel, () => as(who).choose(list, 'digest_menu', choice), isPrivate);
}

describe('a digest that somebody paused', () => {
  it('is shown so in the list at once, and so is one that is deleted', async () => {
    await scheduled('/report schedule engagement last-week daily 7:00', '#learning');
    const list = await say('/report list', '#learning');
    const choose = (choice: string) => as('ada').choose(list, 'digest_menu', choice);
    const listed = (wanted: (message: SeenMessage) => boolean) =>
      work().slack.waitForMessage('#learning', (one) => one.ts === list.ts && wanted(one));
    await choose('Pause');
    await listed((one) => one.says('Paused.') && !one.says('Next:'));
    await choose('Resume');
    await listed((one) => one.says('Next:'));
    await choose('Delete');
    await listed((one) => !one.says('Digests'));
  });

  it('stays so when it is edited, and is resumed by a button', async () => {
    const ada = as('ada');
    await scheduled('/report schedule completions last-week daily 7:00', '#sales');
    const paused = await menu('Pause', '#sales');
    expect(paused.words).toContain('Paused: Completions, every day at 07:00.');
    await ada.choose(await say('/report list', '#sales'), 'digest_menu', 'Edit');
    await ada.waitForModal(isBuilder);
    const submit = () => ada.submit({ digest_time: '08:00' });
    const preview = await newIn(work(), '#sales', submit, isPrivate);
    expect(preview.words).toContain('It is paused until somebody resumes it.');
    const changed = await confirmed(
      preview,
      'Changed. It stays paused: Completions, every day at 08:00.',
      '#sales',
    );
    const listed = await say('/report list', '#sales');
    expect(listed.words).toContain('Paused.');
    expect(listed.words).not.toContain('Next:');

    const resumed = await newIn(work(), '#sales', () => ada.click(changed, 'Resume'), isPrivate);
    expect(resumed.words).toMatch(/Resumed: Completions, every day at 08:00\. Next: \w+ .*08:00/);
    expect((await say('/report list', '#sales')).words).toContain('Next:');
    const deleted = await menu('Delete', '#sales');
    const back = await newIn(work(), '#sales', () => ada.click(deleted, 'Undo'), isPrivate);
    expect(back.words).toMatch(/Restored: Completions, every day at 08:00\. Next:/);
    await menu('Delete', '#sales');
  }, 30_000);
});

describe('a digest that paused because it failed', () => {
  it('goes on when it is edited from what its owner was told, in another channel', async () => {
    const ada = as('ada');
    await scheduled('/report schedule tracks last-month monthly 1 07:00', '#people-team');
    const list = await say('/report list', '#people-team');
    ada.remove('#people-team', 'rollcall');
    const fails = (words: string) =>
      newIn(
        work(),
        '@ada',
        () => ada.click(list, 'Send now'),
        (one) => one.says(words),
        10_000,
      );
    await fails('Not sent: ');
    await fails('Not sent: ');
    const told = await fails('It is now paused');
    await ada.click(told, 'Change channel or time');
    const form = await ada.waitForModal(isBuilder);
    expect(valuesOf(form, 'digest_kind')).toEqual(['monthly']);
    await ada.submit();
    await work().slack.settled();
    expect(ada.modal()?.errors.digest_channel).toContain('/invite @Rollcall');
    const submit = () => ada.submit({ digest_channel: 'C00SALES01' });
    const preview = await newIn(work(), '@ada', submit, (one) => one.says('Change this digest?'));
    expect(preview.words).toContain('It was paused because it failed. It resumes when you confirm.');
    const changed = await confirmed(preview, 'Changed.', '@ada');
    expect(changed.words).toContain('Next: ');
    expect((await say('/report list', '#sales')).words).toContain('Next:');
    await menu('Delete', '#sales');
    ada.invite('#people-team', 'rollcall');
    await work().slack.settled();
  }, 60_000);
});

describe('handing over', () => {
  async function handOver(channel: string, to: string, who = 'ada') {
    await as(who).choose(await say('/report list', channel, who), 'digest_menu', 'Hand over');
    await as(who).waitForModal();
    await as(who).submit({ owner: to });
    await work().slack.settled();
  }

  it('is to members of the channel alone, and then it runs as theirs', async () => {
    const ada = as('ada');
    await scheduled('/report schedule engagement last-week daily 7:00', '#sales');
    await handOver('#sales', 'U00PRIYA01');
    expect(ada.modal()?.errors.owner).toContain('must be a member of the channel');
    await ada.submit({ owner: 'U00GIL0001' });
    await work().slack.settled();
    expect(ada.modal()?.errors.owner).toContain('Only members of this workspace');
    const give = () => ada.submit({ owner: 'U00NOAH001' });
    const offer = await newIn(work(), '@noah', give, (one) => one.says('wants to hand a digest over to you'));
    expect(offer.words).toMatch(/^Ada Moreau wants to hand/);
    expect(offer.words).toContain('<#C00SALES01>');
    expect(ada.modal()).toBeUndefined();
    await work().slack.waitForMessage('@ada', (one) => one.says('to accept: Engagement'));
    const waiting = await say('/report list', '#sales');
    expect(waiting.words).toContain('Owned by <@U00ADA0001>, waiting for <@U00NOAH001> to accept');

    const accept = () => as('noah').click(offer, 'Accept');
    const told = () =>
      work().slack.waitForMessage('@noah', (one) => one.says('You now own a digest: Engagement'));
    await newIn(work(), '@ada', accept, (one) => one.says('Handed over: Engagement'));
    expect((await told()).ts).toBe(offer.ts);
    const list = await say('/report list', '#sales');
    expect(list.words).toContain('Owned by <@U00NOAH001>');
    const theirs = await say('/report list', '#sales', 'noah');
    const send = () => as('noah').click(theirs, 'Send now');
    const digest = await newIn(work(), '#sales', send, isDigest, 8000);
    expect(digest.words).toContain('Set up by <@U00NOAH001>');
    await menu('Delete', '#sales', 'noah');
  }, 30_000);

  it('ends with Decline, and a new offer ends the one before', async () => {
    const [ada, noah] = [as('ada'), as('noah')];
    const isOffer = (one: SeenMessage) => one.says('wants to hand a digest over to you');
    await scheduled('/report schedule engagement last-week daily 7:00', '#sales');
    const first = await newIn(work(), '@noah', () => handOver('#sales', 'U00NOAH001'), isOffer);
    const second = await newIn(work(), '@noah', () => handOver('#sales', 'U00NOAH001'), isOffer);
    await noah.click(first, 'Accept');
    await work().slack.waitForMessage('@noah', (one) => one.ts === first.ts && one.says('has ended'));
    const declined = await newIn(
      work(),
      '@ada',
      () => noah.click(second, 'Decline'),
      (one) => one.says('declined: Engagement'),
    );
    expect(declined.words).toContain('Its owner keeps it.');
    const list = await say('/report list', '#sales');
    expect(list.words).toContain('Owned by <@U00ADA0001> ·');
    await ada.choose(list, 'digest_menu', 'Delete');
  }, 30_000);

  it('brings back what lost its owner, who left the workspace', async () => {
    const ada = as('ada');
    await scheduled('/report schedule workshops next-week daily 7:00', '#learning', 'noah');
    const list = await say('/report list', '#learning');
    as('noah').leaveWorkspace();
    await work().slack.settled();
    const sendNow = () => ada.click(list, 'Send now');
    const told = await newIn(work(), '@ada', sendNow, (one) => one.says('Workshop'), 10_000);
    expect(told.words).toContain('is paused. Its owner has left this workspace.');
    await ada.click(told, 'Hand over');
    await ada.waitForModal();
    const give = () => ada.submit({ owner: 'U00PRIYA01' });
    const offer = await newIn(work(), '@priya', give, (one) => one.says('wants to hand'));
    expect((await say('/report list', '#learning')).words).toContain('Paused. Its owner has left');
    await as('priya').click(offer, 'Accept');
    await work().slack.waitForMessage('@priya', (one) => one.ts === offer.ts && one.says('You now own'));
    const after = await say('/report list', '#learning');
    expect(after.words).toContain('Owned by <@U00PRIYA01>');
    expect(after.words).toContain('Next:');
    const theirs = await say('/report list', '#learning', 'priya');
    const send = () => as('priya').click(theirs, 'Send now');
    const digest = await newIn(work(), '#learning', send, isDigest, 8000);
    expect(digest.words).toContain('Set up by <@U00PRIYA01>');
  }, 30_000);
});
