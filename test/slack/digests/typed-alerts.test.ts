import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Level } from '../../../src/access/levels.js';
import { plainRequest } from '../../../src/requests/request.js';
import { digestActions } from '../../../src/slack/messages/digests.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, payloadFor } from '../listeners/listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
  await store.useWorkspace('T1');
});
afterEach(() => store.close());

interface Button {
  readonly action_id: string;
  readonly text: { readonly text: string };
  readonly value: string;
}

/** The reply to U1, who types words in C1, a channel that no admin approved. */
async function replyTo(text: string, { level = 'everything' as Level, smallestGroup = 1 } = {}) {
  const access = {
    accessOf: async () => ({ level, address: 'ada@example.com' }),
    isAdmin: async () => false,
    admins: async () => [],
  };
  const changes = { access, smallestGroup, personLevelChannels: [] } as never;
  const { calls, deliver } = listeningBot({ store, changes });
  await deliver({ ...payloadFor({ kind: 'command', name: '/report' }), text } as never);
  const told = calls.find(({ method }) => method === 'response_url' || method === 'chat.postEphemeral');
  const blocks = (told?.args.blocks ?? []) as { readonly type: string; readonly elements?: Button[] }[];
  const buttons = blocks.filter(({ type }) => type === 'actions').flatMap(({ elements = [] }) => elements);
  const draft = buttons.find(({ action_id }) => action_id === digestActions.confirm)?.value;
  return {
    said: String(told?.args.text),
    all: JSON.stringify(calls),
    buttons: Object.fromEntries(buttons.map(({ text, value }) => [text.text, value])),
    draft: draft === undefined ? undefined : await store.digestDrafts.find(draft, 'U1'),
  };
}

describe('an alert that is typed', () => {
  it('is a draft with its condition', async () => {
    const { said, draft } = await replyTo('schedule overdue when overdue &gt; 50 daily 9');
    expect(said).toContain('Schedule this?');
    expect(draft).toMatchObject({
      when: { kind: 'threshold', figure: 'overdue', comparison: '>', value: 50, isPercent: false },
      skipEmpty: false,
    });
  });

  it('is offered with the figure that was meant', async () => {
    const { said, buttons, draft } = await replyTo(
      'schedule overdue csv when overdu &gt; 50 weekly mon 9 Europe/Berlin',
    );
    expect(said).toMatch(/^There is no figure “overdu” in overdue assignments: .* Did you mean “overdue”\?/);
    const right = 'schedule overdue csv when overdue > 50 weekly mon 9 Europe/Berlin';
    expect(buttons).toEqual({ 'Run this': right, 'Open the form': right });
    expect(draft).toBeUndefined();
  });

  it('is offered with a percentage, and without a correction where none is possible', async () => {
    expect((await replyTo('/report schedule tracks when completion-rate &lt; 80 daily 9')).buttons).toEqual({
      'Run this': 'schedule tracks when completion-rate < 80% daily 9',
      'Open the form': 'schedule tracks when completion-rate < 80% daily 9',
    });
    const never = await replyTo('schedule tracks when completion-rate &gt; 100% daily 9');
    expect(never.said).toMatch(/is never true/);
    expect(never.buttons).toEqual({});
  });

  it('of a saved report is put right in the words that were typed, without the people it names', async () => {
    const filters = [{ object: 'user_filter', member: 'email', entries: ['secret@example.com'] }];
    const request = { ...plainRequest('assignments'), filters };
    await store.savedReports.save({ channel: 'C1', name: 'Quarterly', request, createdBy: 'U2' }, 1);
    const { buttons, all } = await replyTo('schedule quarterly csv when asignments &gt; 50 daily 9');
    expect(buttons['Run this']).toBe('schedule quarterly csv when assignments > 50 daily 9');
    expect(all).not.toContain('secret@example.com');
  });

  it('of a saved report with a filter that is gone is refused, as running it is', async () => {
    const filters = [{ object: 'user_filter', member: 'cost_centers', entries: ['12'] }];
    const request = { ...plainRequest('assignments'), filters };
    await store.savedReports.save({ channel: 'C1', name: 'Quarterly', request, createdBy: 'U1' }, 1);
    const end = 'filter cost_centers no longer exists. Edit it to remove that.';
    expect((await replyTo('quarterly')).said).toBe(`“Quarterly” was not run: ${end}`);
    for (const words of ['schedule quarterly daily 9', 'schedule quarterly when changed daily 9']) {
      const { said, draft } = await replyTo(words);
      expect(said).toBe(`“Quarterly” was not scheduled: ${end}`);
      expect(draft).toBeUndefined();
    }
  });

  it('is refused by its condition before it is read as a sentence', async () => {
    const { said, buttons } = await replyTo('schedule overdue when more than 50 daily 9');
    expect(said).toMatch(/^“more than 50” names no figure/);
    expect(buttons).toEqual({ 'Open the form': 'schedule overdue daily 9' });
  });
});

describe('an alert whose readers see no figure about few people', () => {
  const few = { smallestGroup: 5 };

  it('waits for no change, but in direct messages of somebody who may see everything', async () => {
    for (const condition of ['changed', 'new-rows']) {
      const { said, draft } = await replyTo(`schedule overdue when ${condition} daily 9`, few);
      expect(said).toMatch(
        /^Figures here are about 5 people at least, and .* or send it to your direct messages with to:me\.$/,
      );
      expect(draft).toBeUndefined();
      const direct = await replyTo(`schedule overdue to:me when ${condition} daily 9`, few);
      expect(direct.draft).toMatchObject({ channel: 'D1', when: { kind: condition } });
    }
  });

  it('waits for no change at totals, wherever it goes', async () => {
    for (const where of ['', ' to:me']) {
      const { said } = await replyTo(`schedule overdue${where} when changed daily 9`, {
        ...few,
        level: 'totals',
      });
      expect(said).toMatch(/^Figures here are about 5 people at least, .* as in when overdue &gt; 50\.$/);
    }
  });

  it('runs daily at most', async () => {
    const hourly = await replyTo('schedule overdue when overdue &gt; 50 hourly', few);
    expect(hourly.said).toMatch(/so an alert runs daily at most\./);
    const daily = await replyTo('schedule overdue when overdue &gt; 50 daily 9', few);
    expect(daily.draft).toMatchObject({ when: { kind: 'threshold' } });
  });

  it('has no limits in workshops, which have no learners', async () => {
    expect((await replyTo('schedule workshops when changed hourly', few)).draft).toMatchObject({
      when: { kind: 'changed' },
    });
  });
});

describe('help', () => {
  it('lists the figures of a report and of a view, with their units', async () => {
    const assignments = await replyTo('help assignments');
    expect(assignments.all).toContain('completion-rate (%), on-time (%)');
    expect(assignments.all).toContain('days-to-complete (days)');
    expect((await replyTo('help overdue')).all).toContain('overdue, people, days-overdue (days)');
  });
});
