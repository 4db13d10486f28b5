import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { isDigest, schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { PERSON_LEVEL_CHANNELS: '*' } }));
const { say, scheduled } = schedulingAt(work);

describe('a run that nobody can know about', () => {
  it('is sent when its owner says so, once', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await scheduled('/report schedule assessments daily 3:00', '#sales');
    const list = await say('/report list', '#sales');
    slack.faults.set(
      'chat.postMessage',
      { kind: 'cut' },
      { when: ({ channel }) => channel === list.channel },
    );
    const asked = await newIn(
      work(),
      '@ada',
      () => ada.click(list, 'Send now'),
      (message) => message.says('Delivery of one digest is unconfirmed'),
      10_000,
    );
    const again = () => ada.click(asked, 'Send again');
    const sent = await newIn(work(), '#sales', again, isSummary('Assessments'), 10_000);
    expect(sent.words).toContain('Set up by');
    await slack.waitForMessage(
      '@ada',
      (m) => m.ts === asked.ts && m.says(/^Sending again: Assessments, every day at 03:00, due .+\./),
    );
    const history = await newIn(
      work(),
      '#sales',
      () => ada.choose(list, 'digest_menu', 'History'),
      isPrivate,
    );
    expect(history.words).toMatch(/delivered, \d+ rows/);
  }, 40_000);
});

describe('a run that nobody can know about, of a digest that is handed over', () => {
  it('is asked of its new owner, who says so', async () => {
    const { slack } = work();
    const [ada, noah] = [slack.as('ada'), slack.as('noah')];
    await scheduled('/report schedule engagement last-week daily 4:00', '#learning');
    const list = await say('/report list', '#learning');
    const toLearning = ({ channel }: { channel?: unknown }) => channel === list.channel;
    slack.faults.set('chat.postMessage', { kind: 'cut' }, { when: toLearning });
    const isAsking = (message: SeenMessage) => message.says('Delivery of one digest is unconfirmed');
    await newIn(work(), '@ada', () => ada.click(list, 'Send now'), isAsking, 10_000);
    await ada.choose(list, 'digest_menu', 'Hand over');
    await ada.waitForModal();
    const give = () => ada.submit({ owner: 'U00NOAH001' });
    const offer = await newIn(work(), '@noah', give, (one) => one.says('wants to hand'));
    const accept = () => noah.click(offer, 'Accept');
    const asked = await newIn(work(), '@noah', accept, isAsking, 10_000);
    await noah.click(asked, 'It arrived');
    await slack.waitForMessage('@noah', (m) => m.ts === asked.ts && m.says('Marked as delivered'));
  }, 40_000);
});

describe('a channel that the bot is removed from', () => {
  it('is told to the owner, and an invitation sends it by itself', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await scheduled('/report schedule tracks last-month quarterly 1 09:00', '#people-team');
    const list = await say('/report list', '#people-team');
    await ada.remove('#people-team', 'rollcall');
    const told = await newIn(
      work(),
      '@ada',
      () => ada.click(list, 'Send now'),
      (message) => message.says('Not sent: '),
      10_000,
    );
    expect(told.words).toContain('Track');
    expect(told.words).toContain('Try again');
    const invite = async () => ada.invite('#people-team', 'rollcall');
    await newIn(work(), '#people-team', invite, isDigest, 10_000);
  }, 40_000);
});

describe('a public channel that the bot is not in any more', () => {
  it('is joined by a button, and what failed goes out', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await scheduled('/report schedule engagement last-month quarterly 1 10:00', '#general');
    const list = await say('/report list', '#general');
    await ada.remove('#general', 'rollcall');
    const told = await newIn(
      work(),
      '@ada',
      () => ada.click(list, 'Send now'),
      (message) => message.says('Not sent: '),
      10_000,
    );
    expect(told.words).toContain('I am not a member of that channel.');
    const join = () => ada.click(told, 'Join channel');
    await newIn(work(), '#general', join, isDigest, 10_000);
    await slack.waitForMessage('@ada', (m) => m.ts === told.ts && m.says('Joined the channel'));
    expect(slack.messages('#general').filter(isSummary('Engagement'))).toHaveLength(1);
  }, 40_000);
});

describe('a file that Slack does not take', () => {
  it('leaves its message, tells its owner why, and is tried again by a button', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await ada.invite('#watercooler', 'rollcall');
    await scheduled('/report schedule completions last-month csv quarterly 2 09:00', '#watercooler');
    const list = await say('/report list', '#watercooler');
    slack.faults.set('files.completeUploadExternal', { kind: 'error', error: 'file_uploads_disabled' });
    const told = await newIn(
      work(),
      '@ada',
      () => ada.click(list, 'Send now'),
      (message) => message.says('its file was not'),
      10_000,
    );
    expect(told.words).toContain('File uploads are turned off in this workspace.');
    const summary = slack.messages('#watercooler').find(isSummary('Completions'));
    const again = () => ada.click(told, 'Send file again');
    const file = await newIn(work(), '#watercooler', again, ({ files }) => files.length > 0, 10_000);
    expect(file.threadTs).toBe(summary?.ts);
    await slack.waitForMessage('@ada', (m) => m.ts === told.ts && m.says(/^Sending again: the file of /));
    expect(slack.messages('#watercooler').filter(isSummary('Completions'))).toHaveLength(1);
  }, 40_000);
});
