import { describe, expect, it } from 'vitest';
import { answer, type Behaviour } from '../reporting-api/fault-server.js';
import { before, openDesk } from './a-desk.js';
import { ada, type DigestWorkplace, learning, openWorkplace, records, settings } from './a-workplace.js';

const withFile = { request: { ...settings.request, csv: true, columns: ['email'] } };
const onePerson = {
  request: {
    ...settings.request,
    filters: [{ object: 'user_filter', member: 'emails', entries: ['p1@example.com'] }],
  },
};

/** A channel that may have what names people, as long as nobody shares it. */
async function openApproved(usual: Behaviour = answer(records(2))) {
  const workplace = await openWorkplace({ usual });
  const { store, clock } = workplace;
  await store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
  return workplace;
}

const share = ({ slack }: DigestWorkplace) => slack.as('ada').share('#learning');
const filesIn = ({ slack }: DigestWorkplace, place: string) =>
  slack.messages(place).filter(({ files }) => files.length > 0);

describe('a channel that is shared with another organization', () => {
  it('while a summary waits for its turn: what it asks of somebody goes to its owner alone', async () => {
    const workplace = await openApproved();
    const turns: string[] = [];
    const desk = openDesk(workplace, async (channel) => {
      turns.push(channel);
      if (turns.length === 1) share(workplace);
    });
    const run = await desk.begin(await workplace.digest(onePerson));
    const done = await desk.finish(run);
    expect(done.state).toBe('posted');
    expect(workplace.posts(learning)).toEqual([]);
    const [message] = workplace.slack.messages('@ada');
    expect(message?.words).toContain('It names people, so it comes here rather than to its channel.');
    expect(done.message?.channel).toBe(turns[1]);
    expect(turns).toEqual([learning, expect.stringMatching(/^D/)]);
  });

  it.each(['files.getUploadURLExternal', 'upload'])(
    'after the message stands, at %s: the file goes to its owner alone',
    async (step) => {
      const workplace = await openApproved();
      const desk = openDesk(workplace);
      before(workplace, step, () => share(workplace));
      const done = await desk.finish(await desk.begin(await workplace.digest(withFile)));
      expect(done).toMatchObject({ state: 'posted', fileState: 'posted' });
      expect(done.message?.channel).toBe(learning);
      expect(filesIn(workplace, '#learning')).toEqual([]);
      expect(filesIn(workplace, '@ada')).toHaveLength(1);
    },
  );

  it('while the service answers for a file alone: the file goes to its owner alone', async () => {
    let meanwhile = () => {};
    const usual: Behaviour = (response, socket) => {
      meanwhile();
      return answer(records(2))(response, socket);
    };
    const workplace = await openApproved(usual);
    const { clock, slack } = workplace;
    slack.faults.set('upload', { kind: 'status', status: 500 });
    const desk = openDesk(workplace);
    const waits = await desk.finish(await desk.begin(await workplace.digest(withFile)));
    expect(waits).toMatchObject({ state: 'posted', fileState: 'queued' });
    clock.moveBy(60_000);
    meanwhile = () => share(workplace);
    const done = await desk.finish(await desk.claim());
    expect(done.fileState).toBe('posted');
    expect(filesIn(workplace, '#learning')).toEqual([]);
    expect(filesIn(workplace, '@ada')).toHaveLength(1);
  });
});
