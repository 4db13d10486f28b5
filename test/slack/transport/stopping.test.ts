import { expect, it } from 'vitest';
import { createLogger } from '../../../src/logging/logger.js';
import { createEventFilter } from '../../../src/slack/transport/event-filter.js';

const log = createLogger({ level: 'error', forPeople: false, destination: { write: () => {} } });

/** The reply of a stopping bot to a payload. */
async function answered(body: Record<string, unknown>): Promise<readonly unknown[]> {
  const nothingRuns = async () => {
    throw new Error('Nothing may run any more');
  };
  const gate = createEventFilter({
    teamId: 'T1',
    duplicates: { isNew: async () => true, add() {}, stop: async () => {} },
    inbox: {
      keep: nothingRuns,
      noteUrl() {},
      end() {},
      urlUsed() {},
      progressShown() {},
      stop: async () => {},
    },
    processEvent: nothingRuns,
    now: Date.now,
    acknowledgeOtherwise: () => false,
    log,
  });
  gate.close();
  const answers: unknown[] = [];
  const ack = async (answer: unknown) => void answers.push(answer);
  await gate.pass({ body: { team: { id: 'T1' }, ...body }, ack } as Parameters<typeof gate.pass>[0]);
  return answers;
}

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
