import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { PERSON_LEVEL_CHANNELS: 'C00LEARN01' } }));

const { as, say, scheduled } = schedulingAt(work);

const says = (part: string) => (message: SeenMessage) => message.words.includes(part);

/** What everybody reads in the channel. */
const inChannel = () =>
  work()
    .slack.messages('#learning')
    .filter(({ visibleTo }) => visibleTo === undefined)
    .map(({ words }) => words);

const nobody = 'Nobody reports to ada@example.com in the Reporting Service, so there is no team to show.';

describe('a team to which nobody belongs', () => {
  it('is told to its asker alone, with the reason', async () => {
    const before = inChannel();
    const told = await say('/report overdue manager_email:me', '#learning', 'ada', says('Nobody reports'));
    expect(told.visibleTo).toBe('U00ADA0001');
    expect(told.words).toContain(nobody);
    expect(told.words).toContain('Your learning account may have another address');
    const other = await say(
      '/report engagement last-month manager_email:x@example.com csv',
      '#learning',
      'ada',
      says('Nobody reports'),
    );
    expect(other.words).toContain('Nobody reports to x@example.com');
    expect(other.visibleTo).toBe('U00ADA0001');
    expect(inChannel()).toEqual(before);
    await newIn(
      work(),
      '@ada',
      async () => as('ada').message('due next-week manager_email:me', '@ada'),
      says(nobody),
    );
  });

  it('is told to the owner of a digest, also where empty ones are skipped', async () => {
    await scheduled('/report schedule overdue manager_email:me skip-empty daily 09:00');
    const before = inChannel();
    const list = await say('/report list');
    const told = await newIn(work(), '@ada', () => as('ada').click(list, 'Send now'), says('Nobody reports'));
    expect(told.words).toContain(nobody);
    expect(inChannel()).toEqual(before);
  });

  it('is an answer without rows where somebody reports to the manager, but nothing is found', async () => {
    const people = await newIn(
      work(),
      '@ada',
      async () => as('ada').message('assignments last-12-months by:manager_email', '@ada'),
      (message) => message.text.startsWith('Assignments'),
    );
    const [manager] = /[\w.+-]+@[\w.-]+\w/.exec(people.words.replaceAll('ada@example.com', '')) ?? [];
    expect(manager).toBeDefined();
    const answer = await newIn(
      work(),
      '@ada',
      async () => as('ada').message(`assignments 1990 manager_email:${manager}`, '@ada'),
      (message) => /no assignments found|Nobody reports/.test(message.words),
    );
    expect(answer.words).toContain('no assignments found');
  });
});
