import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../../src/errors/failure.js';
import { plainRequest } from '../../../src/requests/request.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, payloadFor, pressOf } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const mark = 'zz-marked-person@example.com';
const request = {
  ...plainRequest('engagement'),
  filters: [
    { object: 'user_filter', member: 'email', entries: [mark] },
    { object: 'user_filter', member: 'departments', entries: ['Sales'] },
  ],
};

/** U1 acts in C1, which no admin approved, on a report that `owner` saved there. */
async function saved(owner: string) {
  const report = { channel: 'C1', name: 'Quarterly', request, createdBy: owner };
  const entry = await store.savedReports.save(report, 1);
  return entry.ok ? entry.value : '';
}

function bot() {
  const source = {
    async read() {
      throw new Failure('query-refused', { status: 400, serviceMessage: `${mark} is unknown` });
    },
  };
  const access = {
    accessOf: async () => ({ level: 'everything', address: 'ada@example.com' }),
    isAdmin: async () => false,
    admins: async () => [],
    invalidateGroup() {},
    endGroup() {},
  };
  const changes = { source, access, personLevelChannels: [], smallestGroup: 1 };
  return listeningBot({ store, changes: changes as never });
}

const typed = (text: string) => ({ ...payloadFor({ kind: 'command', name: '/report' }), text });

describe('the preview of a scheduled saved report', () => {
  it('hides the people in filters that somebody else saved, as the list does', async () => {
    await saved('U2');
    const shown = bot();
    await shown.deliver(typed('schedule Quarterly daily 9:00'));
    const all = JSON.stringify(shown.calls);
    expect(all).toContain('Schedule this?');
    expect(all).toContain('departments:Sales');
    expect(all).not.toContain(mark);
  });

  it('shows what its reader saved, and what its reader typed on top', async () => {
    await saved('U1');
    const own = bot();
    await own.deliver(typed('schedule Quarterly daily 9:00'));
    expect(JSON.stringify(own.calls)).toContain(mark);

    await store.savedReports.save({ channel: 'C1', name: 'Other', request, createdBy: 'U2' }, 1);
    const onTop = bot();
    await onTop.deliver(typed('schedule Other email:typed@example.com daily 9:00'));
    expect(JSON.stringify(onTop.calls)).toContain('typed@example.com');
  });
});

describe('a saved report that the service refuses', () => {
  it('quotes neither the service nor filters to somebody who did not write it', async () => {
    const id = await saved('U2');
    for (const payload of [typed('Quarterly'), pressOf('saved_run', id)]) {
      const shown = bot();
      await shown.deliver(payload);
      const all = JSON.stringify(shown.calls);
      expect(all).toContain('The Reporting Service did not accept this request.');
      expect(all).not.toContain(mark);
    }
  });

  it('quotes the service to whoever wrote it', async () => {
    await saved('U1');
    const shown = bot();
    await shown.deliver(typed('Quarterly'));
    expect(JSON.stringify(shown.calls)).toContain('is unknown');
  });
});
