import { expect, test } from 'vitest';
import { clientOf, openSlack, startBot } from './test-bot.js';

test('a command over Socket Mode is answered in the channel, with a file in the thread', async () => {
  const slack = await openSlack();
  await startBot(slack, (app) => {
    app.command('/report', async ({ ack, command, client }) => {
      await ack();
      const posted = await client.chat.postMessage({
        channel: command.channel_id,
        text: `Asked: ${command.text}`,
      });
      await client.filesUploadV2({
        channel_id: command.channel_id,
        thread_ts: String(posted.ts),
        content: 'a,b\r\n1,2\r\n',
        filename: 'report.csv',
      });
    });
  });
  const ada = slack.as('ada');
  await ada.command('/report engagement last-week', '#learning');
  const summary = await slack.waitForMessage('#learning', 'Asked: engagement last-week');
  const file = await slack.waitForMessage('#learning', (message) => message.files.length > 0);
  expect(file.threadTs).toBe(summary.ts);
  expect((await slack.fileBytes(file.files[0]?.id ?? '')).toString()).toBe('a,b\r\n1,2\r\n');
});

test('a client reads the channel and the person', async () => {
  const slack = await openSlack();
  const client = clientOf(slack);
  const { channel } = await client.conversations.info({ channel: 'C00LEARN01' });
  expect(channel).toMatchObject({ name: 'learning', is_member: true, is_ext_shared: false });
  const { user } = await client.users.info({ user: 'U00ADA0001' });
  expect(user).toMatchObject({ tz: 'Europe/Berlin', profile: { email: 'ada@example.com' } });
});
