// A check before a release: asks Slack whether it would take everything that Rollcall posts and shows. It starts the
// local Slack, the reference service and the built bot, asks for every report, and passes each message, form and Home
// tab to Slack's `blocks.validate`, which posts nothing. Run `npm run build` before:
//   SLACK_BOT_TOKEN_FILE=/path node scripts/check-blocks.js
// SLACK_API_URL names another address of the Web API.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startReportingService } from '../dist/playground/reporting-service/reporting-service.js';
import { startLocalSlack } from '../dist/playground/slack/server/local-slack.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const apiUrl = process.env.SLACK_API_URL ?? 'https://slack.com/api/';
const { SLACK_BOT_TOKEN_FILE: tokenFile } = process.env;
const token = tokenFile ? readFileSync(tokenFile, 'utf8').trim() : process.env.SLACK_BOT_TOKEN;

const commands = [
  'help',
  'assignments rows',
  'overdue',
  'due',
  'tracks',
  'completions by:departments',
  'assessments',
  'engagement by:departments',
  'workshops rows',
  'access',
  'list',
  'schedule engagement weekly mon 09:00',
];

if (!token) {
  console.log('Skipped: set SLACK_BOT_TOKEN or SLACK_BOT_TOKEN_FILE to the token of a workspace for tests.');
} else {
  const payloads = await everythingShown();
  let refused = 0;
  for (const [name, payload] of payloads) {
    const answer = await validate(payload);
    if (answer.isMissing) {
      console.log(`Skipped: ${apiUrl} does not check blocks (${answer.error}).`);
      process.exit(0);
    }
    if (answer.errors.length === 0) continue;
    refused += 1;
    console.error(`${name}: ${answer.errors.map(({ code, pointer }) => `${code} at ${pointer}`).join(', ')}`);
  }
  console.log(`${payloads.length} messages and views checked, ${refused} refused.`);
  process.exitCode = refused > 0 ? 1 : 0;
}

/** Asks in the local Slack, and collects the blocks of each message and view, with a name. */
async function everythingShown() {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-blocks-'));
  const slack = await startLocalSlack({ rateLimits: 'off' });
  const service = await startReportingService({ learners: 120 });
  const bot = spawn(process.execPath, [join(root, 'dist/bot/main.js')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      OPERATIONS_PORT: '',
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      REPORTING_BASE_URL: service.url,
      REPORTING_API_TOKEN: service.token,
      REPORTING_REQUESTS_PER_MINUTE: '60000',
      DEFAULT_ACCESS: 'everything',
      ROLLCALL_ADMINS: 'U00ADA0001',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => {
    bot.once('error', ({ message }) => resolve(`the bot cannot start: ${message}`));
    bot.once('close', (code, signal) => resolve(`the bot ended with ${code ?? signal}`));
  });
  try {
    await Promise.race([slack.waitForBot(), ended.then((why) => Promise.reject(new Error(why)))]);
    const ada = slack.as('ada');
    const shown = [];
    for (const words of commands) {
      const before = slack.messages('@ada').length;
      await ada.command(`/report ${words}`, '@ada');
      await slack.waitFor(() => slack.messages('@ada').length > before, 30_000, `an answer to ${words}`);
    }
    await ada.command('/report', '@ada');
    shown.push(['the form', { view: viewOf(await ada.waitForModal()) }]);
    ada.openHome();
    shown.push(['the Home tab', { view: viewOf(await ada.waitForHome()) }]);
    await slack.settled();
    for (const { text, blocks } of slack.messages('@ada')) {
      if (blocks.length > 0) shown.push([text.slice(0, 60), { message: { text, blocks } }]);
    }
    return shown;
  } finally {
    bot.kill('SIGTERM');
    await ended;
    await service.stop();
    await slack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A view as the bot sent it. */
function viewOf({ content }) {
  return content;
}

async function validate(payload) {
  const form = new URLSearchParams(
    Object.entries(payload).map(([member, value]) => [member, JSON.stringify(value)]),
  );
  const headers = { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(`${apiUrl}blocks.validate`, { method: 'POST', headers, body: form });
    const { ok, error, errors = [] } = await response.json();
    const isInvalid = errors.length > 0 || /^invalid_blocks|^invalid_attachments/.test(error ?? '');
    if (!ok && !isInvalid) return { isMissing: true, error };
    return { errors: errors.length > 0 || ok ? errors : [{ code: error, pointer: '/' }] };
  } catch ({ message }) {
    return { isMissing: true, error: message };
  }
}
