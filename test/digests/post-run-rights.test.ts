import { describe, expect, it } from 'vitest';
import { answer, type Behaviour } from '../reporting-api/fault-server.js';
import { before, runProcessor } from './process-one-run.js';
import {
  ada,
  type DigestTestWorkspace,
  learning,
  openTestWorkspace,
  records,
  settings,
} from './test-workspace.js';

const withFile = { request: { ...settings.request, file: 'csv' as const, columns: ['email'] } };
const onePerson = {
  request: {
    ...settings.request,
    filters: [{ object: 'user_filter', member: 'emails', entries: ['p1@example.com'] }],
  },
};

/** A channel that may have what names people, as long as nobody shares it. */
async function openApproved(usual: Behaviour = answer(records(2))) {
  const workspace = await openTestWorkspace({ usual });
  const { store, clock } = workspace;
  await store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
  return workspace;
}

const share = ({ slack }: DigestTestWorkspace) => slack.as('ada').share('#learning');
const filesIn = ({ slack }: DigestTestWorkspace, place: string) =>
  slack.messages(place).filter(({ files }) => files.length > 0);

describe('a channel that is shared with another organization', () => {
  it('while a summary waits for its turn: person-level data goes only to its owner', async () => {
    const workspace = await openApproved();
    const turns: string[] = [];
    const processor = runProcessor(workspace, async (channel) => {
      turns.push(channel);
      if (turns.length === 1) share(workspace);
    });
    const run = await processor.begin(await workspace.digest(onePerson));
    const done = await processor.finish(run);
    expect(done.state).toBe('posted');
    expect(workspace.posts(learning)).toEqual([]);
    const [message] = workspace.slack.messages('@ada');
    expect(message?.words).toContain('It names people, so it is sent here and not to its channel.');
    expect(done.message?.channel).toBe(turns[1]);
    expect(turns).toEqual([learning, expect.stringMatching(/^D/)]);
  });

  it('between two variants of a summary: it is not posted, and made again', async () => {
    const workspace = await openApproved();
    const refusing = (args: { channel?: unknown }) => {
      if (args.channel !== learning) return false;
      share(workspace);
      return true;
    };
    const error = { kind: 'error', error: 'invalid_blocks' } as const;
    workspace.slack.faults.set('chat.postMessage', error, { when: refusing });
    const processor = runProcessor(workspace);
    const run = await processor.begin(await workspace.digest(onePerson));
    expect(await processor.finish(run)).toMatchObject({ state: 'queued', errorCode: 'access-changed' });
    expect(workspace.posts(learning)).toEqual([]);
    expect(workspace.slack.messages('@ada')).toEqual([]);
  });

  it.each(['files.getUploadURLExternal', 'upload'])(
    'after the message stands, at %s: the file goes to its owner alone',
    async (step) => {
      const workspace = await openApproved();
      const processor = runProcessor(workspace);
      before(workspace, step, () => share(workspace));
      const done = await processor.finish(await processor.begin(await workspace.digest(withFile)));
      expect(done).toMatchObject({ state: 'posted', fileState: 'posted' });
      expect(done.message?.channel).toBe(learning);
      expect(filesIn(workspace, '#learning')).toEqual([]);
      expect(filesIn(workspace, '@ada')).toHaveLength(1);
    },
  );

  it('while the service answers for a file: the file goes only to its owner', async () => {
    let meanwhile = () => {};
    const usual: Behaviour = (response, socket) => {
      meanwhile();
      return answer(records(2))(response, socket);
    };
    const workspace = await openApproved(usual);
    const { clock, slack } = workspace;
    slack.faults.set('upload', { kind: 'status', status: 500 });
    const processor = runProcessor(workspace);
    const waits = await processor.finish(await processor.begin(await workspace.digest(withFile)));
    expect(waits).toMatchObject({ state: 'posted', fileState: 'queued' });
    clock.moveBy(60_000);
    meanwhile = () => share(workspace);
    const done = await processor.finish(await processor.claim());
    expect(done.fileState).toBe('posted');
    expect(filesIn(workspace, '#learning')).toEqual([]);
    expect(filesIn(workspace, '@ada')).toHaveLength(1);
  });
});
