import type { ViewOutput } from '@slack/bolt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateView } from '../../../playground/slack/server/validator/validate.js';
import { initialState } from '../../../playground/slack/server/workspace/views.js';
import { ok, refused } from '../../../src/errors/result.js';
import { choicesFromCadence, parseCadenceChoices } from '../../../src/slack/modals/cadence-choices.js';
import {
  readDigest,
  scheduleForm,
  scheduleFormValues,
  valuesOfDigest,
} from '../../../src/slack/modals/digest-form.js';
import { propertyRuns } from '../../property-runs.js';
import { anyCadence } from '../../requests/random-cadence.js';

const anyOptions = fc.record({
  skipEmpty: fc.boolean(),
  replace: fc.boolean(),
  keepDays: fc.option(fc.integer({ min: 1, max: 365 }), { nil: undefined }),
});

describe('the schedule form', () => {
  it('is valid in Slack, and returns the cadence it was opened with if nothing changes', () => {
    fc.assert(
      fc.property(anyCadence, anyOptions, (cadence, options) => {
        const digest = { cadence, zone: 'Asia/Tokyo', ...options, channel: 'C1' };
        const view = scheduleForm('abcdefghjk', valuesOfDigest(digest));
        expect(validateView(view)).toEqual([]);
        const state = initialState(view.blocks as never) as unknown as ViewOutput['state']['values'];
        expect(readDigest(scheduleFormValues(state), 'UTC')).toEqual(ok(digest));
      }),
      { numRuns: propertyRuns(200) },
    );
    expect(validateView(scheduleForm('a', {}))).toEqual([]);
  });

  it.each([
    [{ kind: 'daily', time: '07:30' }, ['kind', 'time', 'zone']],
    [{ kind: 'weekdays', time: '07:30' }, ['kind', 'time', 'zone']],
    [{ kind: 'weekly', days: ['thu'], time: '07:30' }, ['kind', 'days', 'time', 'zone']],
    [{ kind: 'monthly', day: 3, time: '07:30' }, ['kind', 'day_of_month', 'time', 'zone']],
    [{ kind: 'hourly', minute: 0 }, ['kind', 'zone']],
    [{ kind: 'hourly', minute: 15 }, ['kind', 'words', 'zone']],
  ] as const)('shows only the inputs that %j needs', (cadence, expected) => {
    const { blocks } = scheduleForm('a', valuesOfDigest({ cadence, zone: 'UTC' }));
    const names = blocks.flatMap(({ block_id: id = '' }) => (id.startsWith('digest_') ? [id.slice(7)] : []));
    expect(names).toEqual([...expected, 'channel', 'skip_empty', 'keep_days']);
  });

  it.each([
    [{ kind: 'weekly', days: [] }, 'days', 'at least one day'],
    [{ kind: 'quarterly', day: 'last' }, 'day', '1 to 31'],
    [{ kind: 'monthly' }, 'day', 'Choose a day'],
    [{ kind: 'words' }, 'words', 'how often'],
    [{ kind: 'words', words: 'now and then' }, 'words', 'How often'],
    [{ zone: 'Berlin' }, 'zone', 'Did you mean Europe/Berlin?'],
    [{ time: '25:00' }, 'time', '00:00 to 23:59'],
  ])('refuses %j under the right input', (changes, about, words) => {
    const parsed = parseCadenceChoices({ ...choicesFromCadence(undefined, 'UTC'), ...changes });
    expect(parsed).toEqual(refused({ about, sentence: expect.stringContaining(words) }));
  });

  it('ignores a custom schedule whose input is hidden', () => {
    const choices = { ...choicesFromCadence(undefined, 'UTC'), kind: 'daily', words: 'monthly 1 9:00' };
    const cadence = { kind: 'daily', time: '09:00' };
    expect(parseCadenceChoices(choices)).toEqual(ok({ cadence, zone: 'UTC' }));
  });
});
