import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest } from '../../../src/requests/request.js';
import type { BuilderDraft } from '../../../src/slack/forms/draft.js';
import { valuesOf } from '../../../src/slack/forms/read-draft.js';
import { deleteExpired } from '../../../src/store/cleanup.js';
import { retentionMs } from '../../../src/store/database/expiry.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store<BuilderDraft>;
beforeEach(async () => {
  store = await openStore<BuilderDraft>(folder.databaseWithTables('rollcall.db'), Date.now, { recordKey });
});
afterEach(() => store.close());

const draft: BuilderDraft = {
  values: valuesOf({
    ...plainRequest('engagement'),
    filters: [{ object: 'user_filter', member: 'departments', entries: ['x'.repeat(40_000)] }],
  }),
};

function renamed(name: string) {
  return (before: BuilderDraft): BuilderDraft => ({
    ...before,
    values: { ...before.values, [name]: 'yes' },
  });
}

describe('drafts of open forms', () => {
  it('are found only by their owner, at any length', async () => {
    const id = await store.builderDrafts.open('U1', draft, 5);
    expect(id).toMatch(/^[2-9a-z]{10}$/);
    expect(await store.builderDrafts.find(id, 'U1')).toEqual(draft);
    expect(await store.builderDrafts.find(id, 'U2')).toBeUndefined();
    expect(await store.builderDrafts.change(id, 'U2', 6, renamed('a'))).toBeUndefined();
    expect(await store.builderDrafts.use(id, 'U2', 6)).toBe(false);
  });

  it('keep every change, even if many come at once', async () => {
    const id = await store.builderDrafts.open('U1', draft, 5);
    const names = Array.from({ length: 12 }, (_, number) => `change-${number}`);
    await Promise.all(names.map((name) => store.builderDrafts.change(id, 'U1', 6, renamed(name))));
    expect(await store.builderDrafts.find(id, 'U1')).toMatchObject({
      values: Object.fromEntries(names.map((name) => [name, 'yes'])),
    });
  });

  it('keep the changes of two processes', async () => {
    const other = await openStore<BuilderDraft>(folder.database('rollcall.db'), Date.now, { recordKey });
    const id = await store.builderDrafts.open('U1', draft, 5);
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name, turn) =>
        (turn % 2 === 0 ? store : other).builderDrafts.change(id, 'U1', 6, renamed(name)),
      ),
    );
    expect(await other.builderDrafts.find(id, 'U1')).toMatchObject({
      values: { a: 'yes', b: 'yes', c: 'yes', d: 'yes' },
    });
    await other.close();
  });

  it('are used once, and are empty afterwards', async () => {
    const id = await store.builderDrafts.open('U1', draft, 5);
    const uses = await Promise.all(Array.from({ length: 8 }, () => store.builderDrafts.use(id, 'U1', 7)));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await store.builderDrafts.find(id, 'U1')).toBe('used');
    expect(await store.builderDrafts.change(id, 'U1', 8, renamed('a'))).toBe('used');
  });

  it('are deleted a week after the last change, and with their owner', async () => {
    const now = 1_795_000_000_000;
    const old = await store.builderDrafts.open('U1', draft, now - retentionMs('builder_drafts', 400) - 1);
    const changed = await store.builderDrafts.open('U1', draft, now - retentionMs('builder_drafts', 400) - 1);
    await store.builderDrafts.change(changed, 'U1', now, renamed('a'));
    await deleteExpired(store, now, 400);
    expect(await store.builderDrafts.find(old, 'U1')).toBeUndefined();
    expect(await store.builderDrafts.find(changed, 'U1')).toBeDefined();
    await store.erasePerson('U1');
    expect(await store.builderDrafts.find(changed, 'U1')).toBeUndefined();
  });

  it('are counted for each person while unused, and the newest can be kept alone', async () => {
    const ids: string[] = [];
    for (let n = 1; n <= 5; n += 1) ids.push(await store.builderDrafts.open('U1', draft, n));
    const [used = '', , oldest = '', , newest = ''] = ids;
    await store.builderDrafts.use(used, 'U1', 9);
    const others = await store.builderDrafts.open('U2', draft, 1);
    expect(await store.builderDrafts.countOf('U1')).toBe(4);
    await store.builderDrafts.keepNewest('U1', 2);
    expect(await store.builderDrafts.countOf('U1')).toBe(2);
    expect(await store.builderDrafts.find(oldest, 'U1')).toBeUndefined();
    expect(await store.builderDrafts.find(newest, 'U1')).toBeDefined();
    expect(await store.builderDrafts.find(used, 'U1')).toBe('used');
    expect(await store.builderDrafts.countOf('U2')).toBe(1);
    expect(await store.builderDrafts.find(others, 'U2')).toBeDefined();
  });
});
