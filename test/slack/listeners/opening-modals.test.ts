import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest } from '../../../src/requests/request.js';
import { valuesOf as valuesOfRequest } from '../../../src/slack/forms/read-draft.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { accepted } from '../../results.js';
import { addDigest } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';
import {
  listeningBot,
  payloadFor,
  pressOf,
  type Registered,
  settled,
  useSimulatedTimers,
} from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const request = { ...plainRequest('tracks'), range: 'last-week' };

/** IDs for the values of buttons, by the prefix of the action ID. */
async function subjects() {
  const ask = await store.requestLog.record({
    channel: 'C1',
    asker: 'U1',
    request,
    requestedAt: 1,
  });
  const made = await store.savedReports.save({ channel: 'C1', name: 'Weekly', request, createdBy: 'U1' }, 1);
  const saved = accepted(made);
  const { id: digest } = await addDigest(store, 2);
  const { schedule } = await store.digests.find(digest).then((found) => found ?? Promise.reject());
  const draft = {
    request,
    channel: 'C1',
    owner: 'U1',
    cadence: schedule.cadence,
    zone: 'UTC',
    skipEmpty: false,
  };
  const preview = await store.digestDrafts.open('U1', draft, 1);
  return { ask, saved, digest, preview };
}

/** Values with which a button opens a modal. */
function valuesOf(name: string, { ask, saved, digest, preview }: Awaited<ReturnType<typeof subjects>>) {
  const [menu, verb] = name.split(' ');
  if (menu === 'saved_more') return [`${verb} ${saved}`];
  if (name === 'saved_edit' || name === 'saved_copy') return [`${name.slice(6)} ${saved}`];
  if (menu === 'digest_menu') return [verb === 'edit' ? `edit ${digest} 0 0 both` : `${verb} ${digest}`];
  if (name === 'digest_edit_draft') return [preview];
  if (name.startsWith('digest_')) return [digest];
  return [ask];
}

/** The buttons that open a modal, with their values. Undo and delete are left out. */
async function modalDoors(): Promise<readonly (readonly [string, () => Record<string, unknown>])[]> {
  const about = await subjects();
  const { registered } = listeningBot({ store });
  const others =
    /^digest_(menu )?(pause|resume|delete|undo|confirm|cancel|kind|test_form)|^saved_more delete|^builder_/;
  const actions = registered
    .filter(({ kind, name }) => kind === 'action' && !others.test(name))
    .flatMap(({ name }) =>
      valuesOf(name, about).map((value) => {
        const [action = ''] = name.split(' ');
        return [`${action} ${value}`, () => pressOf(action, value)] as const;
      }),
    );
  const shortcut: Registered = { kind: 'shortcut', name: 'run_report' };
  const command: Registered = { kind: 'command', name: '/report' };
  return [
    ...actions,
    ['shortcut', () => payloadFor(shortcut)],
    ['command', () => ({ ...payloadFor(command), text: '' })],
  ];
}

const opens = (bot: ReturnType<typeof listeningBot>) =>
  bot.calls.filter(({ method }) => method === 'views.open');

describe('a modal', () => {
  it('opens before its trigger expires, however long its look-ups take', async () => {
    const slackTakes = { people: 1_500, channels: 3_000 };
    const opened: string[] = [];
    const doors = await modalDoors();
    useSimulatedTimers();
    const deliveries = Promise.all(
      doors.map(async ([name, body]) => {
        const bot = listeningBot({ store, slackTakes });
        await bot.deliver(body());
        const [open] = opens(bot);
        if (!open) return;
        opened.push(name.split(' ')[0] ?? '');
        // Nobody can go on with it: another process has no trigger.
        const row = bot.find(body());
        expect(row, name).toBeDefined();
        expect(row?.isKept?.(body()) ?? false, name).toBe(false);
        expect(open.afterMs, name).toBeLessThan(1_500);
        const updated = bot.calls.find(({ method }) => method === 'views.update');
        expect(updated?.args, name).toMatchObject({ view_id: 'V1' });
        expect(JSON.stringify(updated?.args.view), name).not.toContain('Loading the form');
        expect(updated?.args.view, name).toHaveProperty('blocks');
      }),
    );
    await settled(deliveries);
    expect([...new Set(opened)].sort()).toEqual([
      'access_add_admin',
      'access_rules',
      'access_set',
      'access_set_age',
      'ask_add_to_scorecard',
      'ask_change',
      'ask_save',
      'ask_schedule',
      'ask_share',
      'command',
      'digest_edit',
      'digest_edit_draft',
      'digest_hand_over',
      'digest_menu',
      'home_help',
      'key_release',
      'open_builder',
      'saved_copy',
      'saved_edit',
      'saved_more',
      'say_purpose',
      'shortcut',
    ]);
  });

  it('that cannot open because its trigger expired is replaced by a message with the same button', async () => {
    let answered = 0;
    for (const [name, body] of await modalDoors()) {
      const wouldOpen = listeningBot({ store });
      await wouldOpen.deliver(body());
      if (opens(wouldOpen).length === 0) continue;
      const refuses = (method: string) => (method === 'views.open' ? 'trigger_expired' : undefined);
      const bot = listeningBot({ store, refuses });
      const pressed = body();
      await bot.deliver(pressed);
      answered += 1;
      const [said] = bot.calls;
      expect(said?.args.text, name).toBe('Slack did not open the form in time. Try again.');
      const [action] = (pressed.actions ?? []) as { action_id: string; value: string }[];
      const { action_id = 'open_builder', value = '-' } = action ?? {};
      expect(JSON.stringify(said?.args.blocks), name).toContain(`"action_id":"${action_id}`);
      // Slack takes no empty value, so that a button without one has another.
      const wanted = value === '' ? '' : `"value":"${value}"`;
      expect(JSON.stringify(said?.args.blocks), name).toContain(wanted);
    }
    expect(answered).toBeGreaterThan(15);
  });

  it('opens once after a double press', async () => {
    const { ask } = await subjects();
    const bot = listeningBot({ store });
    const press = () => bot.deliver(pressOf('ask_share', ask));
    await Promise.all([press(), press()]);
    expect(opens(bot)).toHaveLength(1);
    await press();
    expect(opens(bot)).toHaveLength(2);
  });

  it('that fails after it opened shows the error, with the ID from the log', async () => {
    const people = {
      async find() {
        await new Promise((resolve) => setTimeout(resolve, 600));
        throw new Error('planted');
      },
    };
    const bot = listeningBot({ store, changes: { people: people as never } });
    await bot.deliver(pressOf('ask_share', (await subjects()).ask));
    expect(bot.calls.map(({ method }) => method)).toEqual(['views.open', 'views.update']);
    const logged = bot.logged.find(({ msg }) => msg === 'A form could not be built');
    expect(JSON.stringify(bot.calls[1]?.args.view)).toContain(`give your admin this ID: ${logged?.id}.`);
  });
});

it('an open builder has a draft for the person who opened it', async () => {
  const bot = listeningBot({ store });
  const { ask } = await subjects();
  await bot.deliver(pressOf('ask_change', ask));
  const view = opens(bot)[0]?.args.view as { private_metadata: string };
  expect(await store.builderDrafts.find(view.private_metadata, 'U1')).toMatchObject({
    values: { report: valuesOfRequest(request).report },
  });
});

it('the 21st open builder of a person ends their oldest one', async () => {
  const bot = listeningBot({ store });
  const { ask } = await subjects();
  const bare = { values: valuesOfRequest(request) };
  const oldest = await store.builderDrafts.open('U1', bare, 1);
  for (let count = 0; count < 19; count += 1) await store.builderDrafts.open('U1', bare, 2);
  expect(await store.builderDrafts.find(oldest, 'U1')).toBeDefined();
  await bot.deliver(pressOf('ask_change', ask));
  expect(await store.builderDrafts.find(oldest, 'U1')).toBeUndefined();
  expect(await store.builderDrafts.countOf('U1')).toBe(20);
});
