import { describe, expect, it } from 'vitest';
import { validateMessage } from '../../../playground/slack/server/validator/validate.js';
import { levels } from '../../../src/access/levels.js';
import { allReports } from '../../../src/catalogue/index.js';
import type { AccessFacts } from '../../../src/slack/access/access-facts.js';
import { accessMessage } from '../../../src/slack/access/access-page.js';
import { previewLines } from '../../../src/slack/messages/access-levels.js';
import { expectGood } from './messages.js';

const own = Object.fromEntries(allReports.map(({ name }) => [name, 'team'])) as AccessFacts['own'];

const reader: AccessFacts = {
  channel: 'C1',
  personLevel: 'not-approved',
  own: { ...own, workshops: 'everything', tracks: 'nothing' },
  lacksAddress: true,
  groupsAreHidden: true,
  smallestGroup: 5,
  admins: ['Ada Lovelace', '<!channel> *Noah*'],
  forAdmins: undefined,
};

/** A page with more of everything than fits. */
function crowded(count: number): AccessFacts {
  const many = Array.from({ length: count }, (_, i) => i);
  const longName = 'Bartholomew '.repeat(20);
  return {
    ...reader,
    admins: many.map(() => longName),
    forAdmins: {
      defaultAccess: 'totals',
      rules: many.map((i) => ({
        subject: { kind: 'person', id: `U${i}` },
        name: longName,
        report: allReports[i % allReports.length]?.name,
        level: levels[i % levels.length] ?? 'nothing',
      })),
      admins: many.map((i) => ({ id: `U${i}`, name: longName, isConfigured: i % 2 === 0 })),
      configuredChannels: ['C1'],
      approved: many.map((i) => ({ subject: `C${i}`, by: 'U1', at: 1 })),
      readers: undefined,
      askerNamesFrom: undefined,
      released: many.map((i) => ({ subject: `user_metadata.${'key'.repeat(60)}${i}`, by: 'U1', at: 1 })),
    },
  };
}

describe('the page of access', () => {
  it('names the level of most reports first, then where it differs, and admins as plain text', () => {
    const message = accessMessage(reader);
    expectGood(message);
    expect(message.text).toContain('Rows, files and names are limited to your team.');
    expect(message.text).toContain('Workshops: You may ask for everything');
    expect(message.text).toContain('Tracks: You may not ask for it.');
    expect(message.text).toContain('&lt;!channel&gt;');
    expect(JSON.stringify(message.blocks)).not.toContain('button');
  });

  it('speaks plainly, also to admins: no variables, scopes or keys', () => {
    for (const personLevel of ['allowed', 'not-approved', 'never'] as const) {
      for (const configuredChannels of ['*', ['C1']] as const) {
        const { forAdmins } = crowded(2);
        const page = accessMessage({
          ...crowded(2),
          personLevel,
          forAdmins: forAdmins && {
            ...forAdmins,
            configuredChannels,
            released: [{ subject: 'content_metadata.cost', by: 'U1', at: 1 }],
          },
        });
        const words = JSON.stringify(page).replace(/"(?:action_id|value)":"[^"]*"/g, '');
        expect(words).not.toMatch(/[A-Z]+_[A-Z]+|usergroups|[Pp]erson-level|\b[Kk]eys?\b/);
      }
    }
  });

  it.each([0, 1, 6, 7, 100, 1000])('obeys Slack’s limits with %i of everything', (count) => {
    const { text, blocks = [] } = accessMessage(crowded(count));
    expect(validateMessage({ text, blocks: [...blocks] })).toEqual([]);
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(blocks).length).toBeLessThanOrEqual(12_000);
  });
});

describe('the preview of a rule', () => {
  it('spells out a level, with what is exempt', () => {
    const lines = previewLines({ level: 'team', reports: [] }, [], 5).join(' ');
    expect(lines).toContain('limited to the people they manage and themselves');
    expect(lines).toContain('They see everything of workshops');
    expect(lines).toContain('without a confirmed email address gets totals');
    expect(lines).toContain('fewer than 5 people');
  });

  it('names the rule that it replaces and those that stay', () => {
    const subject = { kind: 'everyone' } as const;
    const before = [
      { subject, level: 'everything' },
      { subject, report: 'tracks', level: 'nothing' },
    ] as const;
    const all = previewLines({ level: 'totals', reports: [] }, before, 1);
    expect(all).toContain('Replaces the rule for all reports (everything).');
    expect(all).toContain('Stays as it is: the rule for tracks (nothing).');
    expect(all).toContain('A rule that names a report goes before one for all reports.');
    const tracks = previewLines({ level: 'none', reports: ['tracks'] }, before, 1);
    expect(tracks).toContain('Ends the rule for tracks (nothing).');
  });
});
