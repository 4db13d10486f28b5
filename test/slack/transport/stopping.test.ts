import { expect, it } from 'vitest';
import { createLogger } from '../../../src/logging/logger.js';
import { routeTable } from '../../../src/slack/listeners/router.js';
import { allRoutes } from '../../../src/slack/listeners/routes.js';
import { createEventFilter } from '../../../src/slack/transport/deliveries.js';
import type { NewDelivery } from '../../../src/store/requests/inbox.js';
import { realClock } from '../../../src/time/clock.js';

const log = createLogger({ level: 'error', forPeople: false, destination: { write: () => {} } });

interface Choices {
  readonly hasOthers?: () => Promise<boolean>;
  readonly keeps?: 'kept' | 'repeated' | 'not-kept';
}

const find = routeTable(allRoutes());

/** The reply of a stopping bot to a payload, and what it keeps. */
async function stopped(
  body: Record<string, unknown>,
  { hasOthers = async () => false, keeps = 'kept' }: Choices = {},
) {
  const kept: NewDelivery[] = [];
  const ended: string[] = [];
  const nothingRuns = async () => {
    throw new Error('Nothing may run any more');
  };
  const gate = createEventFilter({
    teamId: 'T1',
    duplicates: { isNew: async () => true, add() {}, stop: async () => {} },
    inbox: {
      async keep(delivery) {
        kept.push(delivery);
        return keeps;
      },
      noteUrl() {},
      end: (key) => void ended.push(key),
      unsaved: () => [],
      urlUsed() {},
      progressShown() {},
      stop: async () => {},
    },
    hasOthers,
    find,
    clock: realClock,
    acknowledgeOtherwise: () => false,
    log,
  });
  gate.listen(nothingRuns);
  gate.close();
  const answers: unknown[] = [];
  const ack = async (answer: unknown) => void answers.push(answer);
  await gate.pass({
    body: { team: { id: 'T1' }, ...body },
    ack,
    customProperties: { envelopeId: 'E1' },
  } as unknown as Parameters<typeof gate.pass>[0]);
  return { answers, kept: kept.map(({ payload }) => JSON.parse(payload)), ended };
}

const answered = async (body: Record<string, unknown>) => (await stopped(body)).answers;
const typed = { command: '/report', text: 'engagement', user_id: 'U1' };
const pressed = {
  type: 'block_actions',
  user: { id: 'U1' },
  actions: [{ action_id: 'ask_csv', value: 'x' }],
};

it('while the bot stops, a submitted form stays open and says when to submit it again', async () => {
  const view = { title: { text: 'Save' }, blocks: [{ type: 'input', block_id: 'name' }] };
  expect(await answered({ type: 'view_submission', view })).toEqual([
    { response_action: 'errors', errors: { name: expect.stringContaining('Try again in a minute') } },
  ]);
});

it('while the bot stops, commands get a message, suggestions are empty, and events stay for the next process', async () => {
  expect(await answered({ command: '/report' })).toEqual([{ text: expect.stringContaining('Try again') }]);
  expect(await answered({ type: 'block_suggestion' })).toEqual([{ options: [] }]);
  expect(await answered({ type: 'event_callback', event: { type: 'message' } })).toEqual([]);
});

it('while the bot stops, a command is kept for another process if there is one', async () => {
  const alone = await stopped(typed);
  expect(alone.answers).toEqual([{ text: expect.stringContaining('Try again') }]);
  expect(alone.kept).toEqual([]);
  const { answers, kept, ended } = await stopped(typed, { hasOthers: async () => true });
  expect(answers).toEqual([undefined]);
  expect(kept).toMatchObject([typed]);
  // It stays in the inbox, so that another process takes it.
  expect(ended).toEqual([]);
});

it('while the bot stops, a press is kept: another process goes on, or the next start tells about it', async () => {
  const { answers, kept, ended } = await stopped(pressed);
  expect(answers).toEqual([undefined]);
  expect(kept).toMatchObject([{ actions: pressed.actions }]);
  expect(ended).toEqual([]);
});

it('while the bot stops, a command gets a message where it cannot be kept', async () => {
  const hasOthers = async () => true;
  const tryAgain = [{ text: expect.stringContaining('Try again') }];
  const notKept = await stopped(typed, { hasOthers, keeps: 'not-kept' });
  expect(notKept.answers).toEqual(tryAgain);
  // The database may still take it. Nobody may run it then.
  expect(notKept.ended).toEqual(['envelope E1']);
  expect((await stopped(typed, { hasOthers: () => Promise.reject(new Error('cut')) })).answers).toEqual(
    tryAgain,
  );
  expect((await stopped(typed, { hasOthers, keeps: 'repeated' })).answers).toEqual([undefined]);
  // A form that opens needs the person at once.
  expect((await stopped({ ...typed, text: '' }, { hasOthers })).answers).toEqual(tryAgain);
});
