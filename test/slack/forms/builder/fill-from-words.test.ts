import { describe, expect, it } from 'vitest';
import { plainRequest, type ReportRequest } from '../../../../src/requests/request.js';
import type { ListenerParts } from '../../../../src/slack/answers/context.js';
import { contentsFromWords } from '../../../../src/slack/builder/fill-from-words.js';

const saved: ReportRequest = {
  ...plainRequest('engagement'),
  range: 'last-week',
  filters: [{ object: 'user_filter', member: 'email', entries: ['bo@example.com'] }],
};

/** A channel that may not get person-level data, with one saved report of Ada's. */
const parts = {
  store: {
    savedReports: {
      namesIn: async () => ['Weekly'],
      findByName: async (_channel: string, name: string) =>
        name === 'Weekly' ? { request: saved, owner: 'UADA', createdBy: 'UADA' } : undefined,
    },
    approvals: { isChannelApproved: async () => false, lostApproval: async () => false },
  },
  channels: {
    directWith: async () => 'D1',
    find: async () => ({ known: true, isMember: true, isShared: false }),
  },
  personLevelChannels: [],
} as unknown as ListenerParts;

const fill = (words: string, asker = 'UADA') => contentsFromWords(words, { channel: 'C1', asker }, parts);

describe('the builder from words', () => {
  it('has the request, and says what it was filled with', async () => {
    expect(await fill('due next-week only:in-progress rows')).toEqual({
      request: {
        ...plainRequest('assignments'),
        view: 'due',
        range: 'next-week',
        states: ['in-progress'],
        showRows: true,
      },
      remarks: ['Filled with what I understood: /report due next-week only:in-progress rows'],
    });
  });

  it('is empty where nothing was understood', async () => {
    for (const words of ['-', '', 'help', 'list', 'xyzzy']) expect(await fill(words)).toBeUndefined();
  });

  it('saves under the name that was typed', async () => {
    expect(await fill('save Mine: tracks')).toMatchObject({
      request: { report: 'tracks' },
      values: { purpose: 'save', 'own:name': 'Mine' },
    });
  });

  it('schedules with how often, or without', async () => {
    const typed = 'schedule overdue skip-empty replace keep:7d';
    expect(await fill(`${typed} weekly mon,thu 8 Europe/Berlin`)).toMatchObject({
      request: { view: 'overdue' },
      values: {
        purpose: 'schedule',
        digest_kind: 'weekly',
        digest_days: ['mon', 'thu'],
        digest_time: '08:00',
        digest_zone: 'Europe/Berlin',
        digest_skip_empty: ['skip', 'replace'],
        digest_keep_days: '7',
      },
    });
    const withoutCadence = await fill(typed);
    expect(withoutCadence).toMatchObject({
      request: { view: 'overdue' },
      values: { purpose: 'schedule', digest_skip_empty: ['skip', 'replace'], digest_keep_days: '7' },
    });
    expect(withoutCadence?.values).not.toHaveProperty('digest_kind');
  });

  it('has a saved report with what was typed on top, unless it names people that the reader may not see', async () => {
    const request = { ...saved, range: 'last-month' };
    expect(await fill('weekly last-month')).toMatchObject({ request });
    expect(await fill('schedule weekly last-month daily 9')).toMatchObject({
      request,
      values: { purpose: 'schedule' },
    });
    expect(await fill('weekly last-month', 'UBOB')).toBeUndefined();
    expect(await fill('schedule weekly daily 9', 'UBOB')).toBeUndefined();
  });
});
