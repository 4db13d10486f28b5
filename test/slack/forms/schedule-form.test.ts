import type { ViewOutput } from '@slack/bolt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateView } from '../../../playground/slack/server/validator/validate.js';
import { initialState } from '../../../playground/slack/server/workspace/views.js';
import { ok, refused } from '../../../src/errors/result.js';
import { readDigest, scheduleForm, valuesOfDigest } from '../../../src/slack/builder/digest-form.js';
import { parseCadenceValues } from '../../../src/slack/forms/cadence-choices.js';
import { readInputs } from '../../../src/slack/forms/inputs.js';
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
        expect(readDigest(readInputs(state), 'UTC')).toEqual(ok(digest));
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
    [{ digest_kind: 'weekly', digest_days: [] }, 'digest_days', 'at least one day'],
    [{ digest_kind: 'quarterly', digest_day_of_month: 'last' }, 'digest_day_of_month', '1 to 31'],
    [{ digest_kind: 'monthly' }, 'digest_day_of_month', 'Choose a day'],
    [{ digest_kind: 'words' }, 'digest_words', 'how often'],
    [{ digest_kind: 'words', digest_words: 'now and then' }, 'digest_words', 'How often'],
    [{ digest_zone: 'Berlin' }, 'digest_zone', 'Did you mean Europe/Berlin?'],
    [{ digest_time: '25:00' }, 'digest_time', '00:00 to 23:59'],
  ])('refuses %j under the right input', (changes, input, words) => {
    const parsed = parseCadenceValues(changes, 'UTC');
    expect(parsed).toEqual(refused({ input, sentence: expect.stringContaining(words) }));
  });

  it('ignores a custom schedule whose input is hidden', () => {
    const values = { digest_kind: 'daily', digest_words: 'monthly 1 9:00' };
    const cadence = { kind: 'daily', time: '09:00' };
    expect(parseCadenceValues(values, 'UTC')).toEqual(ok({ cadence, zone: 'UTC' }));
  });
});
