import { describe, expect, it } from 'vitest';
import { isDigest, schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { PERSON_LEVEL_CHANNELS: '*' } }));
const { say, scheduled } = schedulingAt(work);

describe('a public channel that the bot is not in any more', () => {
  it('is joined by a button, and what failed goes out', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await scheduled('/report schedule engagement last-month quarterly 1 10:00', '#sales');
    const list = await say('/report list', '#sales');
    await ada.remove('#sales', 'rollcall');
    const told = await newIn(
      work(),
      '@ada',
      () => ada.click(list, 'Send now'),
      (message) => message.says('Not sent: '),
      10_000,
    );
    expect(told.words).toContain('I am not a member of that channel.');
    const join = () => ada.click(told, 'Join channel');
    await newIn(work(), '#sales', join, isDigest, 10_000);
    await slack.waitForMessage('@ada', (m) => m.ts === told.ts && m.says('Joined the channel'));
    expect(slack.messages('#sales').filter(isSummary('Engagement'))).toHaveLength(1);
  }, 40_000);
});

describe('a file that Slack does not take', () => {
  it('leaves its message, tells its owner why, and is tried again by a button', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await scheduled('/report schedule completions last-month csv quarterly 2 09:00', '#people-team');
    const list = await say('/report list', '#people-team');
    slack.faults.set('files.completeUploadExternal', { kind: 'error', error: 'file_uploads_disabled' });
    const told = await newIn(
      work(),
      '@ada',
      () => ada.click(list, 'Send now'),
      (message) => message.says('its file was not'),
      10_000,
    );
    expect(told.words).toContain('File uploads are turned off in this workspace.');
    const summary = slack.messages('#people-team').find(isSummary('Completions'));
    const again = () => ada.click(told, 'Send file again');
    const file = await newIn(work(), '#people-team', again, ({ files }) => files.length > 0, 10_000);
    expect(file.threadTs).toBe(summary?.ts);
    await slack.waitForMessage('@ada', (m) => m.ts === told.ts && m.says(/^Sending again: the file of /));
    expect(slack.messages('#people-team').filter(isSummary('Completions'))).toHaveLength(1);
  }, 40_000);
});
