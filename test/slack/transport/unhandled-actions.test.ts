import type { ReceiverEvent } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/logging/logger.js';
import { actions } from '../../../src/slack/ids.js';
import { routeTable } from '../../../src/slack/router.js';
import { allRoutes } from '../../../src/slack/routes.js';
import { createListenerApps } from '../../../src/slack/transport/listener-apps.js';

const log = createLogger({ level: 'error', forPeople: false, destination: { write: () => {} } });
const find = routeTable(allRoutes());
const options = {
  authorize: async () => ({ botToken: 'xoxb-1', botUserId: 'U1' }),
  convoStore: false as const,
};

function pressed(action: string) {
  const answers: unknown[] = [];
  const event: ReceiverEvent = {
    body: {
      type: 'block_actions',
      team: { id: 'T1', domain: 'x' },
      user: { id: 'U2', team_id: 'T1' },
      actions: [{ type: 'button', action_id: action, block_id: 'b', value: '1' }],
      channel: { id: 'C1' },
    },
    ack: async (answer) => {
      answers.push(answer);
    },
  };
  return { event, answers };
}

describe('a delivery without a listener', () => {
  it('is acknowledged, so that buttons of older versions do not fail', async () => {
    const { processEvent } = createListenerApps(options, find, log);
    const { event, answers } = pressed('gone');
    await processEvent(event);
    expect(answers).toEqual([undefined]);
  });

  it('a delivery with a listener is acknowledged once, by the listener', async () => {
    const { listenerApp, processEvent } = createListenerApps(options, find, log);
    listenerApp.route(({ ack }) => ack());
    const { event, answers } = pressed(actions.cancel);
    await processEvent(event);
    expect(answers).toHaveLength(1);
  });
});
