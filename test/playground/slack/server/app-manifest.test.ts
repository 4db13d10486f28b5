import { expect, test } from 'vitest';
import { appFrom } from '../../../../playground/slack/server/app-manifest.js';
import { slackManifest } from '../../../../src/slack/manifest.js';
import { clientOf, openSlack, refusal, startBot } from './test-bot.js';

const bare = { features: {}, oauth_config: { scopes: { bot: ['chat:write'] } }, settings: {} };

test('a feature that the manifest lacks is off', () => {
  expect(appFrom(bare)).toEqual({
    scopes: ['chat:write'],
    commands: [],
    shortcuts: [],
    events: [],
    homeTab: false,
    messagesTab: false,
    messagesTabWritable: false,
  });
});

test("the bot's own manifest is read", () => {
  const app = appFrom(slackManifest());
  expect(app.commands).toMatchObject([{ command: '/report', usageHint: expect.any(String) }]);
  expect(app.events).toContain('app_mention');
  expect(app).toMatchObject({ messagesTab: true, messagesTabWritable: true });
});

test('events without a subscription are not sent', async () => {
  const slack = await openSlack({ app: { events: ['app_mention'] } });
  const heard: string[] = [];
  await startBot(slack, (app) => {
    app.event(/.*/, async ({ event }) => void heard.push(event.type));
  });
  slack.as('ada').message('hello', '@ada');
  slack.as('ada').invite('#watercooler');
  slack.as('ada').message('@rollcall hello', '#learning');
  await slack.waitFor(() => heard.length > 0);
  await slack.settled();
  expect(heard).toEqual(['app_mention']);
});

test('commands, tabs and scopes come from the manifest', async () => {
  const slack = await openSlack({ manifest: bare });
  const ada = slack.as('ada');
  await expect(ada.command('/report', '#learning')).rejects.toThrow('not a command');
  expect(() => ada.openHome()).toThrow('no Home tab');
  expect(() => ada.message('hello', '@ada')).toThrow('does not accept messages');
  expect(await refusal(clientOf(slack).users.info({ user: 'U00ADA0001' }))).toMatchObject({
    needed: 'users:read',
  });
});
