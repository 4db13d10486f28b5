import { WebClient } from '@slack/web-api';
import { expect, it, onTestFinished } from 'vitest';
import { startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { checkBlocks } from '../../src/cli/check-blocks.js';

async function openSlack() {
  const slack = await startLocalSlack({ rateLimits: 'off' });
  onTestFinished(() => slack.stop());
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } });
  return { slack, client };
}

it('the blocks of messages pass the check of Slack, which posts nothing', async () => {
  const { slack, client } = await openSlack();
  expect(await checkBlocks(client)).toMatchObject({ subject: 'Blocks', ok: true });
  expect((await checkBlocks(client)).sentence).toContain('Slack accepts');
  expect(slack.posts).toEqual([]);
});

it.each(['unknown_method', 'missing_scope', 'not_authed', 'internal_error'])(
  'a check that Slack does not make (%s) is no problem',
  async (error) => {
    const { slack, client } = await openSlack();
    slack.faults.set('blocks.validate', { kind: 'error', error }, { times: 1 });
    const finding = await checkBlocks(client);
    expect(finding).toMatchObject({ ok: true });
    expect(finding.sentence).toContain(`(${error})`);
  },
);

it.each([
  {
    blocks: {
      validate: async () => ({ ok: true, errors: [{ code: 'unknown_type', pointer: '/blocks/3' }] }),
    },
  },
  {
    blocks: {
      validate: () =>
        Promise.reject(Object.assign(new Error('no'), { data: { ok: false, error: 'invalid_blocks' } })),
    },
  },
])('blocks that Slack refuses are a problem, however it says so', async (client) => {
  const finding = await checkBlocks(client as never);
  expect(finding).toMatchObject({ ok: false });
  expect(finding.sentence).toMatch(/unknown_type at \/blocks\/3|invalid_blocks/);
});
