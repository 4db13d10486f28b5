import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  accessActions,
  accessInputs,
  accessViews,
  actions,
  auditActions,
  builderActions,
  digestActions,
  digestInputs,
  digestViews,
  homeActions,
  savedActions,
  views,
} from '../../src/slack/ids.js';
import { routeTable } from '../../src/slack/router.js';
import { allRoutes } from '../../src/slack/routes.js';

const routes = allRoutes();
const idsOf = (kind: string) => routes.flatMap((route) => (route.kind === kind ? [route.id] : []));

describe('the rows of the router', () => {
  it('are one for each button, option of a menu and input that draws its form again', () => {
    const menus: readonly string[] = [savedActions.more, digestActions.menu];
    const prefixes: readonly string[] = [builderActions.preset];
    const named = [
      actions,
      accessActions,
      auditActions,
      builderActions,
      digestActions,
      homeActions,
      savedActions,
      { who: accessInputs.who, kind: digestInputs.kind },
    ].flatMap((group): string[] => Object.values(group));
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
    const named = [views, accessViews, digestViews].flatMap((group): string[] => Object.values(group));
    expect([...idsOf('view')].sort()).toEqual([...named].sort());
  });

  it('have no ID twice', () => {
    const ids = routes.map(({ kind, id }) => `${kind} ${id}`);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('need a member first', () => {
    for (const { id, needs } of routes) expect(needs[0], id).toBe('member');
  });

  it('of forms are never kept, because no other process has their triggers', () => {
    for (const { id, opens, isKept } of routes) if (opens !== undefined) expect(isKept({}), id).toBe(false);
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

it('no ID of an action, a form or a shortcut is written anywhere but in src/slack/ids.ts', () => {
  const files = readdirSync('src/slack', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(100);
  const literal = /\b(?:action_id|callback_id): ['"`]\w/;
  const wrong = files.filter((file) => literal.test(readFileSync(`src/slack/${file}`, 'utf8')));
  expect(wrong).toEqual([]);
});
