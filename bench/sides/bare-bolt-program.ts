import { App } from '@slack/bolt';

/** The smallest Bolt application, as a program of its own with the settings of Rollcall. */
const {
  SLACK_BOT_TOKEN: token,
  SLACK_SIGNING_SECRET: signingSecret,
  SLACK_API_URL: slackApiUrl,
} = process.env;

const app = new App({
  token: token ?? '',
  signingSecret: signingSecret ?? '',
  clientOptions: { slackApiUrl: slackApiUrl ?? '' },
});
app.command('/report', async ({ ack }) => ack());
await app.start({ port: 0, host: '127.0.0.1' });
console.log('Bolt ready');
process.on('SIGTERM', () => process.exit());
