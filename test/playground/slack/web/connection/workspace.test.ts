import { describe, expect, it } from 'vitest';
import type {
  InspectorEntry,
  PageView,
  Snapshot,
} from '../../../../../playground/slack/server/page-protocol.js';
import {
  applyUpdate,
  fromSnapshot,
  withTyped,
  workspaceNow,
} from '../../../../../playground/slack/web/connection/workspace.js';

const view = (id: string): PageView => ({
  id,
  type: 'modal',
  callbackId: '',
  title: '',
  close: 'Cancel',
  blocks: [],
  state: {},
  hash: '',
  errors: {},
  waiting: false,
});
const snapshot: Snapshot = {
  type: 'snapshot',
  team: { id: 'T1', name: 'Team' },
  me: 'U1',
  users: [],
  bot: { user: 'UB', name: 'Rollcall', connected: true },
  commands: [],
  shortcuts: [],
  channels: [],
  openChannel: 'C1',
  messages: [],
  modals: [view('V1')],
  refusals: [],
  inspector: [],
  clock: { now: 5000, offsetMs: 0 },
};
const entry = (id: number, state: InspectorEntry['state'] = 'ok'): InspectorEntry => ({
  id,
  at: id,
  direction: 'bot to Slack',
  title: 'chat.postMessage',
  state,
  request: '',
});

describe('the state of the page', () => {
  const start = fromSnapshot(snapshot, 100);
  const typed = withTyped(start, { kind: 'view', view: 'V1' }, 'b', 'a', {
    type: 'plain_text_input',
    value: 'x',
  });

  it('keeps typed values while the modal is covered or updated, and drops them when it closes', () => {
    const covered = applyUpdate(typed, { type: 'modals', modals: [view('V1'), view('V2')] }, 0);
    expect(covered.typed.V1).toEqual({ b: { a: { type: 'plain_text_input', value: 'x' } } });
    expect(applyUpdate(covered, { type: 'modals', modals: [view('V1')] }, 0).typed.V1).toBeDefined();
    expect(applyUpdate(covered, { type: 'modals', modals: [] }, 0).typed).toEqual({});
  });

  it('keeps typed values over a reconnect, but not over a switch of user', () => {
    expect(fromSnapshot(snapshot, 0, typed).typed).toEqual(typed.typed);
    expect(fromSnapshot({ ...snapshot, me: 'U2' }, 0, typed).typed).toEqual({});
  });

  it('replaces a waiting request by its answer, newest first, at most 300', () => {
    let now = applyUpdate(start, { type: 'inspector', entry: entry(1, 'waiting') }, 0);
    now = applyUpdate(now, { type: 'inspector', entry: entry(2) }, 0);
    now = applyUpdate(now, { type: 'inspector', entry: entry(1) }, 0);
    expect(now.inspector.map(({ id, state }) => `${id} ${state}`)).toEqual(['2 ok', '1 ok']);
    for (let id = 3; id < 400; id += 1) now = applyUpdate(now, { type: 'inspector', entry: entry(id) }, 0);
    expect(now.inspector).toHaveLength(300);
    expect(now.inspector[0]?.id).toBe(399);
  });

  it("advances the workspace's clock from its arrival", () => {
    const moved = applyUpdate(start, { type: 'clock', clock: { now: 90_000, offsetMs: 85_000 } }, 200);
    expect(workspaceNow(moved, 1200)).toBe(91_000);
  });
});
