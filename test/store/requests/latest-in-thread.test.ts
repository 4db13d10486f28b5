import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewPostedItem } from '../../../src/posts/posted-items.js';
import { plainRequest } from '../../../src/requests/request.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
});
afterEach(() => store.close());

interface Posted {
  readonly channel?: string;
  readonly ts: string;
  /** The thread that it is a reply in. */
  readonly thread?: string;
  readonly state?: 'posted' | 'failed';
  readonly kind?: 'answer' | 'file';
}

/** Records a request and how its post ended. Returns its ID. */
async function post({
  channel = 'C1',
  ts,
  thread,
  state = 'posted',
  kind = 'answer',
}: Posted): Promise<string> {
  const request = plainRequest('tracks');
  const id = await store.requestLog.record({ channel, asker: 'U1', request, requestedAt: 1 }, kind);
  const held = { id, worker: null };
  await store.ledger.markPosting(held, { rows: 1, late: false });
  if (state === 'failed') {
    await store.ledger.markFailed(held, { code: 'x' }, 2);
    return id;
  }
  const root = thread === undefined ? undefined : { channel, ts: thread };
  const item: NewPostedItem | undefined = root && { kind: 'message', channel, item: ts, root };
  await store.ledger.markPosted(held, { message: { channel, ts }, fileFollows: false, item }, 2);
  return id;
}

const found = async (channel: string, thread: string) =>
  (await store.requestLog.latestInThread(channel, thread))?.id;

describe('the latest answer in a thread', () => {
  it('is the first message of the thread', async () => {
    const answer = await post({ ts: '10.1' });
    await post({ ts: '11.1' });
    expect(await found('C1', '10.1')).toBe(answer);
  });

  it('is the last one that was posted there', async () => {
    await post({ ts: '10.1' });
    await post({ ts: '12.1', thread: '10.1' });
    const last = await post({ ts: '13.1', thread: '10.1' });
    await post({ ts: '14.1', thread: '11.1' });
    await post({ channel: 'C2', ts: '15.1', thread: '10.1' });
    expect(await found('C1', '10.1')).toBe(last);
  });

  it('is found under a message of somebody else', async () => {
    const answer = await post({ ts: '12.1', thread: '9.1' });
    expect(await found('C1', '9.1')).toBe(answer);
  });

  it('is none that was not posted, and no file', async () => {
    const answer = await post({ ts: '10.1' });
    await post({ ts: '12.1', thread: '10.1', state: 'failed' });
    await post({ ts: '13.1', thread: '10.1', kind: 'file' });
    expect(await found('C1', '10.1')).toBe(answer);
    expect(await found('C1', '9.9')).toBeUndefined();
  });
});
