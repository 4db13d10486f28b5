import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EditFacts } from '../../../src/posts/answer-edits.js';
import { plainRequest } from '../../../src/requests/request.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, recordKey, sqlOn } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
let another: Store;
beforeEach(async () => {
  store = await openStore(folder.database(), Date.now, { process: 'one', recordKey });
  another = await openStore(folder.database(), Date.now, { process: 'another', recordKey });
});
afterEach(async () => {
  await store.close();
  await another.close();
});

const facts: EditFacts = { zone: 'Europe/Berlin', typed: 'engagement email:Eve@example.com', rights: 'hash' };
const message = { channel: 'C1', ts: '1.2' };

/** An answer that was posted, and is edited later. */
async function posted(edit: EditFacts | 'none' = facts, asker = 'U1'): Promise<string> {
  const entry = { channel: 'C1', asker, request: plainRequest('engagement'), requestedAt: 1 };
  const id = await store.requestLog.record(entry);
  const held = { id, worker: null };
  await store.ledger.markPosting(held);
  await store.ledger.markPosted(
    held,
    { message, fileFollows: false, edit: edit === 'none' ? undefined : edit },
    5,
  );
  return id;
}

const columns = () =>
  sqlOn<{ edit_state: string | null; edit_facts: string | null }>(
    folder.database(),
    'SELECT edit_state, edit_facts FROM posts',
  );

describe('the edit of an answer', () => {
  it('is due from the post on, until it is made', async () => {
    const id = await posted();
    const due = { id, process: 'one', takeovers: 0, postedAt: 5, facts };
    expect(await store.ledger.dueEdits()).toEqual([due]);
    expect(await store.ledger.isEditDue(id)).toBe(true);
    expect(await another.ledger.isEditDue(id)).toBe(false);
    expect(await another.ledger.mayBeEdited(id)).toBe(true);
    await store.ledger.endEdit(id, 'done');
    expect(await store.ledger.isEditDue(id)).toBe(false);
    expect(await another.ledger.mayBeEdited(id)).toBe(false);
    expect(await store.ledger.dueEdits()).toEqual([]);
    expect(await columns()).toEqual([{ edit_state: 'done', edit_facts: null }]);
  });

  it('is none for an answer that had everything, and for one whose place nobody knows', async () => {
    await posted('none');
    const id = await store.requestLog.record({
      channel: 'C1',
      asker: 'U1',
      request: plainRequest('tracks'),
      requestedAt: 1,
    });
    await store.ledger.markPosting({ id, worker: null });
    await store.ledger.markPosted({ id, worker: null }, { fileFollows: false, edit: facts }, 5);
    expect(await store.ledger.dueEdits()).toEqual([]);
    expect(await columns()).toEqual([
      { edit_state: null, edit_facts: null },
      { edit_state: null, edit_facts: null },
    ]);
  });

  it('is taken over by one process, and the one before finds out', async () => {
    const id = await posted();
    const [due] = await another.ledger.dueEdits();
    if (!due) throw new Error('No edit is due');
    expect(await Promise.all([another.ledger.takeEdit(due), another.ledger.takeEdit(due)])).toEqual([
      true,
      false,
    ]);
    expect(await store.ledger.isEditDue(id)).toBe(false);
    expect(await another.ledger.isEditDue(id)).toBe(true);
    expect(await store.ledger.dueEdits()).toMatchObject([{ id, process: 'another', takeovers: 1 }]);
  });

  it.each([
    ['its asker', 'U1'],
    ['somebody in the words that were typed', 'eve@example.com'],
    ['the person whom “me” means', 'U7'],
  ])('ends with the data of %s', async (_who, person) => {
    await posted({ ...facts, me: 'U7' });
    await posted({ zone: 'UTC', typed: 'engagement', rights: 'hash' }, 'U2');
    await store.erasePerson(person);
    expect(await store.ledger.dueEdits()).toHaveLength(1);
    expect(await columns()).toContainEqual({ edit_state: 'given-up', edit_facts: null });
  });

  it('ends with all data', async () => {
    const id = await posted();
    await store.eraseAll();
    expect(await store.ledger.isEditDue(id)).toBe(false);
  });
});
