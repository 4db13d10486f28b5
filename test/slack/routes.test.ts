import { readdirSync, readFileSync } from 'node:fs';
import type { ReceiverEvent } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/logging/logger.js';
import type { ListenerParts } from '../../src/slack/answers/context.js';
import { accessInputs } from '../../src/slack/forms/access-forms.js';
import { digestInputs } from '../../src/slack/forms/cadence-choices.js';
import { builderActions } from '../../src/slack/forms/draft.js';
import { createRouter, type Route, routeTable } from '../../src/slack/listeners/router.js';
import { allRoutes } from '../../src/slack/listeners/routes.js';
import { shortcuts } from '../../src/slack/manifest.js';
import { digestActions } from '../../src/slack/messages/digests.js';
import { savedActions } from '../../src/slack/messages/saved-reports.js';
import { type DeliveryKind, DeliveryRepeated, kindOf } from '../../src/slack/transport/deliveries.js';
import { namedIds } from './named-ids.js';

const routes = allRoutes();
const idsNamed = (kind: string) =>
  [...namedIds].flatMap(([name, ids]) => (name.toLowerCase().endsWith(kind.toLowerCase()) ? ids : []));
const idsOf = (kind: string) => routes.flatMap((route) => (route.kind === kind ? [route.id] : []));

describe('the rows of the router', () => {
  it('are one for each button, option of a menu and input that draws its form again', () => {
    const menus: readonly string[] = [savedActions.more, digestActions.menu];
    const prefixes: readonly string[] = [builderActions.preset];
    const named = [
      ...idsNamed('Actions'),
      accessInputs.who,
      digestInputs.kind,
      digestInputs.when,
      digestInputs.audience,
    ];
    for (const id of named) {
      const rows = idsOf('action').filter((row) =>
        menus.includes(id)
          ? row.startsWith(`${id} `)
          : prefixes.includes(id)
            ? row.startsWith(id)
            : row === id,
      );
      if (menus.includes(id) || prefixes.includes(id)) expect(rows.length, id).toBeGreaterThan(1);
      else expect(rows, id).toEqual([id]);
    }
    const isNamed = (row: string) =>
      named.some(
        (id) => row === id || row.startsWith(`${id} `) || (prefixes.includes(id) && row.startsWith(id)),
      );
    expect(idsOf('action').filter((row) => !isNamed(row))).toEqual([]);
  });

  it('are one for each form that is submitted', () => {
    expect([...idsOf('view')].sort()).toEqual(idsNamed('Views').sort());
  });

  it('have no ID twice', () => {
    const ids = routes.map(({ kind, id }) => `${kind} ${id}`);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('are one for each shortcut, and each input with suggestions', () => {
    expect(idsOf('shortcut')).toEqual(Object.values(shortcuts));
    const suggested = [builderActions.entries, builderActions.titles, accessInputs.group];
    expect([...idsOf('options')].sort()).toEqual([...suggested].sort());
  });

  it('all need a member, but for events and for commands, which have rows of their own', () => {
    for (const { kind, id, needs } of routes)
      expect(needs === undefined, id).toBe(kind === 'event' || kind === 'command');
  });

  it('of forms are never kept, because no other process has their triggers', () => {
    for (const { id, opens, isKept } of routes)
      if (opens !== undefined) expect(isKept?.({}) ?? false, id).toBe(false);
  });
});

it('finds the option of a menu in what was chosen, and in a button that repeats it', () => {
  const find = routeTable(routes);
  const chosen = { action_id: 'saved_more', type: 'overflow', selected_option: { value: 'rename a1' } };
  const repeated = { action_id: 'saved_more', type: 'button', value: 'delete a1' };
  const idOf = (action: object) => find({ type: 'block_actions', actions: [action] })?.id;
  expect(idOf(chosen)).toBe('saved_more rename');
  expect(idOf(repeated)).toBe('saved_more delete');
  expect(idOf({ action_id: 'saved_more', value: 'unknown a1' })).toBeUndefined();
  expect(idOf({ action_id: 'of an older version', value: 'a1' })).toBeUndefined();
});

const team = { team: { id: 'T1' }, user: { id: 'U1', team_id: 'T1' } };

function row(kind: DeliveryKind, id: string, handle: Route['handle']): Route {
  return { kind, id, handle };
}

/** Delivers a body to rows, and returns the acknowledgements and what was logged. */
async function deliver(rows: readonly Route[], body: ReceiverEvent['body']) {
  const acks: unknown[] = [];
  const logged: string[] = [];
  const log = createLogger({
    level: 'info',
    forPeople: false,
    destination: { write: (line) => void logged.push(line) },
  });
  const ack = async (answer: unknown) => void acks.push(answer);
  const handle = createRouter(routeTable(rows), { log } as unknown as ListenerParts);
  await handle({ kind: kindOf(body), body, ack, requestId: 'r1', receivedAtMs: 0 });
  return { acks, logged: logged.join('') };
}

describe('a delivery', () => {
  it.each([
    ['command', '/report', { command: '/report', team_id: 'T1', user_id: 'U1', channel_id: 'C1' }],
    ['event', 'app_mention', { event: { type: 'app_mention', user: 'U1', channel: 'C1' }, team_id: 'T1' }],
    ['action', 'known', { type: 'block_actions', actions: [{ action_id: 'known' }], ...team }],
    ['view', 'known', { type: 'view_submission', view: { callback_id: 'known' }, ...team }],
    ['shortcut', 'known', { type: 'shortcut', callback_id: 'known', ...team }],
    ['options', 'known', { type: 'block_suggestion', action_id: 'known', value: '', ...team }],
  ] as const)('of the kind %s reaches its row, and no other', async (kind, id, body) => {
    const reached: string[] = [];
    const kinds = ['command', 'event', 'action', 'view', 'shortcut', 'options'] as const;
    const rows = kinds.flatMap((one) =>
      [id, 'another'].map((name) => row(one, name, async () => void reached.push(`${one} ${name}`))),
    );
    await deliver(rows, body);
    expect(reached).toEqual([`${kind} ${id}`]);
  });

  it('whose reply fails too is only logged', async () => {
    const planted = row('command', '/report', () => Promise.reject(new Error('unforeseen')));
    const { logged } = await deliver([planted], { command: '/report', user_id: 'U1', channel_id: 'C1' });
    expect(logged).toContain('The failure of a listener could not be reported to the person');
  });

  it('without a row is acknowledged, so that buttons of older versions do not fail', async () => {
    const gone = { type: 'block_actions', actions: [{ action_id: 'gone', value: '1' }], ...team };
    expect((await deliver(routes, gone)).acks).toEqual([undefined]);
    expect((await deliver(routes, { type: 'something_new' })).acks).toEqual([undefined]);
  });

  it('with a row is acknowledged once', async () => {
    const here = row('action', 'here', ({ ack }) => ack());
    expect((await deliver([here], { actions: [{ action_id: 'here' }], ...team })).acks).toHaveLength(1);
  });

  it('that another process had is not acknowledged again, and no message says that it came twice', async () => {
    const twice = row('action', 'here', () => Promise.reject(new DeliveryRepeated()));
    const { acks, logged } = await deliver([twice], { actions: [{ action_id: 'here' }], ...team });
    expect({ acks, logged }).toEqual({ acks: [], logged: '' });
  });
});

it('no ID of an action, a form or a shortcut is written anywhere but in src/slack/ids.ts', () => {
  const files = readdirSync('src/slack', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(100);
  const literal = /\b(?:action_id|callback_id): ['"`]\w/;
  const wrong = files.filter((file) => literal.test(readFileSync(`src/slack/${file}`, 'utf8')));
  expect(wrong).toEqual([]);
});
