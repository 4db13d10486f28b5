import { describe, expect, it } from 'vitest';
import { routeTable } from '../../../src/slack/listeners/router.js';
import { allRoutes } from '../../../src/slack/listeners/routes.js';
import { keptDelivery } from '../../../src/slack/transport/deliveries.js';
import { openStore } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import {
  listeningBot,
  payloadFor,
  pressOf,
  type Registered,
  shownModal,
  submissionOf,
} from '../listeners/listener-test-app.js';

const folder = freshFolder();
const find = routeTable(allRoutes());
const isKept = (body: Record<string, unknown>) => find(body)?.isKept?.(body) ?? false;

const command = (text: string) => ({ ...payloadFor({ kind: 'command', name: '/report' }), text });
const event = (changes: Record<string, unknown>, name = 'message') => {
  const body = payloadFor({ kind: 'event', name });
  return { ...body, event: { ...body.event, ...changes } };
};
const menu = (action: string, value: string) => {
  const body = pressOf(action, '');
  return { ...body, actions: [{ type: 'overflow', action_id: action, selected_option: { value } }] };
};

describe('what is kept until its work has ended', () => {
  it('is what starts a run or a post, and nothing that only opens a form or empties a cache', async () => {
    const store = await openStore(folder.databaseWithTables(), Date.now);
    const { registered } = listeningBot({ store });
    await store.close();
    const of = (wanted: boolean) =>
      registered
        .filter((one: Registered) => isKept(payloadFor(one)) === wanted)
        .map(({ kind, name }) => (kind === 'action' ? name : `${kind} ${name}`));
    const left = of(false);
    expect(left.filter((name) => !/^(?:event|options|shortcut) /.test(name)).sort()).toEqual([
      'access_add_admin',
      'access_rules',
      'access_set',
      'access_set_age',
      'access_who',
      'ask_add_to_scorecard',
      'ask_cancel',
      'ask_change',
      'ask_save',
      'ask_schedule',
      'ask_share',
      'builder_add_condition',
      'builder_entries',
      'builder_fewer_filters',
      'builder_filters',
      'builder_input',
      'builder_preset_essentials',
      'builder_preset_everything',
      'builder_preset_with-manager',
      'builder_titles',
      'digest_audience',
      'digest_edit',
      'digest_edit_draft',
      'digest_hand_over',
      'digest_kind',
      'digest_menu edit',
      'digest_menu handOver',
      'digest_when',
      'home_help',
      'key_release',
      'open_builder',
      'saved_copy',
      'saved_edit',
      'saved_more copy',
      'saved_more edit',
      'saved_more handOver',
      'saved_more rename',
      'say_purpose',
    ]);
    expect(of(true).filter((name) => name.startsWith('event '))).toEqual([
      'event app_mention',
      'event message',
    ]);
    const forms = registered.filter(({ kind }) => kind === 'view');
    expect(of(true).filter((name) => name.startsWith('view '))).toHaveLength(forms.length);
  });

  it('is no help and no form, and no message of a bot, an edit or a channel', () => {
    for (const text of ['', '  ', '/report', 'help', 'Help engagement', '/report help'])
      expect(isKept(command(text)), text).toBe(false);
    for (const text of ['list', 'engagement', 'who is late?', 'save a: engagement'])
      expect(isKept(command(text)), text).toBe(true);
    expect(isKept(event({ bot_id: 'B1' }))).toBe(false);
    expect(isKept(event({ subtype: 'message_changed' }))).toBe(false);
    expect(isKept(event({ channel_type: 'channel' }))).toBe(false);
    expect(isKept(event({ user: undefined }))).toBe(false);
    for (const [action, verb, wanted] of [
      ['saved_more', 'delete', true],
      ['saved_more', 'rename', false],
      ['digest_menu', 'pause', true],
      ['digest_menu', 'handOver', false],
    ] as const)
      expect(isKept(menu(action, `${verb} x`)), verb).toBe(wanted);
  });

  it('has what listeners read, without tokens, triggers, names and the text of messages', () => {
    const press = pressOf('ask_csv', 'a1');
    const secrets = {
      token: 'a-secret-token',
      trigger_id: 'a-secret-trigger',
      user: { id: 'U1', name: 'ada-by-name', username: 'ada-by-name' },
      user_name: 'ada-by-name',
      bot_access_token: 'a-secret-token',
    };
    const message = { ts: '5.5', text: 'text of the message', blocks: [] };
    const bodies = [
      { ...command('engagement'), ...secrets },
      { ...press, ...secrets, message, channel: { id: 'C1', name: 'learning-by-name' } },
      { ...event({ user: 'U1', client_msg_id: 'a-secret-token' }), token: secrets.token },
      { ...submissionOf(shownModal('save_report', 'a1 C1', {})), ...secrets },
    ];
    for (const body of bodies) {
      const kept = keptDelivery(body, 'd1', 'r1', 1);
      expect(kept?.person).toBe('U1');
      expect(kept?.payload).not.toMatch(/secret|by-name|text of the message/);
    }
    const keptPress = keptDelivery(bodies[1] ?? {}, 'd1', 'r1', 1);
    expect(JSON.parse(keptPress?.payload ?? '')).toMatchObject({
      type: 'block_actions',
      user: { id: 'U1' },
      channel: { id: 'C1' },
      message: { ts: '5.5' },
      actions: [{ action_id: 'ask_csv', value: 'a1' }],
      response_url: 'http://127.0.0.1:9/answers',
    });
  });
});
