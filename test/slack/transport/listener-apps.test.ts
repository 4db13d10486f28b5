import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/logging/logger.js';
import { actions, views } from '../../../src/slack/ids.js';
import { routeTable } from '../../../src/slack/router.js';
import { allRoutes } from '../../../src/slack/routes.js';
import { createListenerApps } from '../../../src/slack/transport/listener-apps.js';
import { quiet } from '../../playground/slack/server/test-bot.js';

const team = { team: { id: 'T1' }, user: { id: 'U1', team_id: 'T1' } };

function apps(logged: string[] = []) {
  const log = createLogger({
    level: 'info',
    forPeople: false,
    destination: { write: (line) => logged.push(line) },
  });
  return createListenerApps(
    {
      authorize: async () => ({ botToken: 'xoxb-1', botId: 'B1', botUserId: 'UBOT' }),
      convoStore: false,
      logger: quiet,
    },
    routeTable(allRoutes()),
    log,
  );
}

describe('a delivery', () => {
  it.each([
    ['command', { command: '/report', team_id: 'T1', user_id: 'U1', channel_id: 'C1' }],
    ['event', { event: { type: 'app_mention', user: 'U1', channel: 'C1' }, team_id: 'T1' }],
    [
      'action',
      {
        type: 'block_actions',
        actions: [{ type: 'button', action_id: actions.cancel, block_id: 'b' }],
        ...team,
      },
    ],
    ['view', { type: 'view_submission', view: { callback_id: views.share }, ...team }],
    ['shortcut', { type: 'shortcut', callback_id: 'known', ...team }],
    [
      'options',
      { type: 'block_suggestion', name: 'x', action_id: 'known', block_id: 'b', value: '', ...team },
    ],
  ])('of the kind %s reaches those who listen to it, and nobody else', async (kind, body) => {
    const { listenerApp, processEvent } = apps();
    const received: string[] = [];
    const hear = (name: string) => async () => {
      received.push(name);
    };
    listenerApp.command('/report', hear('command'));
    listenerApp.event('app_mention', hear('event'));
    listenerApp.route(({ kind }) => hear(kind)());
    listenerApp.shortcut('known', hear('shortcut'));
    listenerApp.options('known', hear('options'));
    await processEvent({ body, ack: async () => {} });
    expect(received).toEqual([kind]);
  });

  it('whose listener fails is only logged', async () => {
    const logged: string[] = [];
    const { listenerApp, processEvent } = apps(logged);
    listenerApp.command('/report', async () => {
      throw new Error('unforeseen');
    });
    const body = { command: '/report', team_id: 'T1', user_id: 'U1', channel_id: 'C1' };
    await processEvent({ body, ack: async () => {} });
    expect(logged.join('')).toContain('A listener failed');
  });

  it('of an unknown kind reaches no listener', async () => {
    const { processEvent } = apps();
    await processEvent({ body: { type: 'something_new' }, ack: async () => {} });
  });
});
