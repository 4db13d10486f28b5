import type { ViewOutput } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateView } from '../../../playground/slack/server/validator/validate.js';
import { initialState } from '../../../playground/slack/server/workspace/views.js';
import { ok, refused } from '../../../src/errors/failure.js';
import { figuresOfRequest } from '../../../src/figures/summary/named-figures.js';
import type { AlertCondition } from '../../../src/requests/alert-condition.js';
import { scorecardOf } from '../../../src/requests/parse-scorecard.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { isForManagers } from '../../../src/requests/to-managers.js';
import {
  parseFormAbout,
  readDigest,
  scheduleForm,
  valuesOfDigest,
} from '../../../src/slack/builder/digest-form.js';
import type { AlertOffer } from '../../../src/slack/forms/alert-choices.js';
import { digestInputs, parseCadenceValues } from '../../../src/slack/forms/cadence-choices.js';
import { inputs } from '../../../src/slack/forms/forms.js';
import { type FormValues, readInputs } from '../../../src/slack/forms/inputs.js';
import { propertyRuns } from '../../property-runs.js';
import { anyCadence } from '../../requests/random-cadence.js';
import { anyRequest } from '../../requests/random-request.js';

const anyOptions = fc.record({
  skipEmpty: fc.boolean(),
  replace: fc.boolean(),
  keepDays: fc.option(fc.integer({ min: 1, max: 365 }), { nil: undefined }),
});

/** A condition that the form of this request can hold. */
function anyConditionOf(request: ReportRequest): fc.Arbitrary<AlertCondition | undefined> {
  const threshold = fc.record({
    kind: fc.constant('threshold' as const),
    figure: fc.constantFrom(...figuresOfRequest(request)),
    comparison: fc.constantFrom('>', '>=', '<', '<=' as const),
    value: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((thousandths) => thousandths / 1000 + 0),
  });
  const onFigure = threshold.map(
    ({ figure, ...rest }) => ({ ...rest, figure: figure.id, isPercent: figure.unit === 'percent' }) as const,
  );
  return fc.oneof(
    fc.constant(undefined),
    onFigure,
    fc.constant({ kind: 'changed' } as const),
    fc.constant({ kind: 'new-rows' } as const),
  );
}

const anyAlert = anyRequest.chain((request) =>
  fc.record({ request: fc.constant(request), when: anyConditionOf(request), isProtected: fc.boolean() }),
);

const about = { answer: 'abcdefghjk', channel: 'C1' };
const offer: AlertOffer = { request: plainRequest('assignments'), isProtected: false };

function choicesOf(blocks: ReturnType<typeof scheduleForm>['blocks'], name: string): PlainTextOption[] {
  const block = blocks.find(({ block_id: id }) => id === name);
  if (!block || !('element' in block) || block.element.type !== 'static_select')
    throw new Error(`No menu ${name}`);
  return block.element.options ?? [];
}

const stateOf = ({ blocks }: ReturnType<typeof scheduleForm>) =>
  readInputs(initialState(blocks as never) as unknown as ViewOutput['state']['values']);

describe('the schedule form', () => {
  it('is valid in Slack, and returns what it was opened with if nothing changes', () => {
    fc.assert(
      fc.property(anyCadence, anyOptions, anyAlert, (cadence, options, { request, when }) => {
        const digest = { cadence, zone: 'Asia/Tokyo', ...options, when, channel: 'C1' };
        const view = scheduleForm(about, valuesOfDigest({ ...digest, request }), {
          request,
          isProtected: false,
        });
        expect(validateView(view)).toEqual([]);
        // An alert has something to say, or posts nothing.
        const read = { ...digest, skipEmpty: when ? false : options.skipEmpty };
        expect(readDigest(stateOf(view), 'UTC', request)).toEqual(ok(read));
      }),
      { numRuns: propertyRuns(200) },
    );
    expect(validateView(scheduleForm(about, {}, offer))).toEqual([]);
  });

  it('keeps the values of inputs that a choice hides, and shows them again', () => {
    fc.assert(
      fc.property(anyCadence, anyCadence, anyAlert, (cadence, other, { request, when, isProtected }) => {
        // Quarters have no last day.
        fc.pre(cadence.kind !== 'monthly-last' || other.kind !== 'quarterly');
        const [shown, between] = [cadence, other].map((one) => valuesOfDigest({ cadence: one }));
        const alert = valuesOfDigest({ when, request, zone: 'UTC' });
        const drawn = (values: FormValues) => scheduleForm(about, values, { request, isProtected });
        const redrawn = (view: ReturnType<typeof drawn>, chosen: FormValues) => {
          const { hidden, ...same } = parseFormAbout(view.private_metadata ?? '');
          expect(same).toEqual(about);
          const next = drawn({ ...hidden, ...stateOf(view), ...chosen });
          expect(validateView(next)).toEqual([]);
          return next;
        };
        const first = drawn({ ...shown, ...alert });
        const away = redrawn(first, { digest_kind: between?.digest_kind, digest_when: 'always' });
        const back = redrawn(away, { digest_kind: shown?.digest_kind, digest_when: alert.digest_when });
        expect(stateOf(back)).toEqual(stateOf(first));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('of a scorecard has neither alerts nor managers; where it edits a digest, the lines as text', () => {
    const lines = [plainRequest('assignments'), plainRequest('tracks')].map((request) => ({ request }));
    const request = scorecardOf('Monday numbers', lines);
    const values = { ...valuesOfDigest({ zone: 'UTC', channel: 'C1' }), [inputs.lines]: 'overdue\ntracks' };
    const namesIn = (view: ReturnType<typeof scheduleForm>) =>
      view.blocks.flatMap((block) => block.block_id ?? []);
    const edited = scheduleForm({ draft: 'abc', channel: 'C1' }, values, { request, isProtected: false });
    expect(validateView(edited)).toEqual([]);
    expect(parseFormAbout(edited.private_metadata ?? '')).toEqual({
      draft: 'abc',
      channel: 'C1',
      hidden: {},
    });
    expect(stateOf(edited)[inputs.lines]).toBe('overdue\ntracks');
    const made = scheduleForm(about, values, { request, isProtected: false });
    expect(namesIn(made)).toEqual(namesIn(edited).filter((name) => name !== inputs.lines));
    for (const name of [digestInputs.when, digestInputs.audience])
      expect(namesIn(edited)).not.toContain(name);
  });

  it.each<[string, Partial<AlertOffer>, FormValues, readonly string[]]>([
    ['all for whoever sees everything', {}, {}, ['always', 'threshold', 'changed', 'new-rows']],
    [
      'no new rows where none can be told apart',
      { request: plainRequest('engagement') },
      {},
      ['always', 'threshold', 'changed'],
    ],
    ['values alone where figures are protected', { isProtected: true }, {}, ['always', 'threshold']],
    [
      'what is chosen already',
      { isProtected: true },
      { digest_when: 'changed' },
      ['always', 'threshold', 'changed'],
    ],
  ])('offers %s', (_, changes, values, expected) => {
    const { blocks } = scheduleForm(about, values, { ...offer, ...changes });
    expect(choicesOf(blocks, 'digest_when').map(({ value }) => value)).toEqual(expected);
  });

  it('offers each figure with its last value, without those that the readers never see', () => {
    const lastValues = new Map([['active-share', '78% today']]);
    const request = { ...plainRequest('engagement'), by: 'suspended' };
    const figures = (isProtected: boolean) => {
      const values = { digest_when: 'threshold' };
      const { blocks } = scheduleForm(about, values, { request, isProtected, lastValues });
      return choicesOf(blocks, 'digest_figure:engagement').map(({ text: { text } }) => text);
    };
    const labels = figuresOfRequest(request).map(({ label }) => label);
    const shown = labels.map((label) => (label === 'Share active' ? 'Share active (78% today)' : label));
    expect(figures(false)).toEqual(shown);
    const hidden = shown.filter((text) => !figures(true).includes(text));
    expect(hidden).not.toEqual([]);
    expect(figures(true)).toHaveLength(figuresOfRequest(request, true).length);
  });

  it.each<[FormValues, input: string, words: string]>([
    [{}, 'digest_figure:assignments', 'Choose a figure.'],
    [{ 'digest_figure:assignments': 'no-such' }, 'digest_figure:assignments', 'Choose a figure.'],
    [{ 'digest_figure:overdue': 'overdue' }, 'digest_figure:assignments', 'Choose a figure.'],
    [{ 'digest_figure:assignments': 'overdue' }, 'digest_value', 'Enter a number.'],
    [{ 'digest_figure:assignments': 'overdue', digest_value: '1e99' }, 'digest_value', 'such as 50'],
    [{ 'digest_figure:assignments': 'overdue', digest_value: '80%%' }, 'digest_value', 'such as 50'],
  ])('refuses the threshold of %j under the right input', (values, input, words) => {
    const read = readDigest({ digest_when: 'threshold', ...values }, 'UTC', offer.request);
    expect(read).toEqual(refused({ input, sentence: expect.stringContaining(words) }));
  });

  it('takes a number as a percentage where the figure is one', () => {
    const values = { digest_when: 'threshold', 'digest_figure:assignments': 'completion-rate' };
    const read = readDigest({ ...values, digest_value: '80', digest_comparison: '<' }, 'UTC', offer.request);
    expect(read.ok && read.value.when).toEqual({
      kind: 'threshold',
      figure: 'completion-rate',
      comparison: '<',
      value: 80,
      isPercent: true,
    });
  });

  it.each([
    [{ kind: 'daily', time: '07:30' }, ['kind', 'time', 'zone']],
    [{ kind: 'weekdays', time: '07:30' }, ['kind', 'time', 'zone']],
    [{ kind: 'weekly', days: ['thu'], time: '07:30' }, ['kind', 'days', 'time', 'zone']],
    [{ kind: 'monthly', day: 3, time: '07:30' }, ['kind', 'day_of_month', 'time', 'zone']],
    [{ kind: 'hourly', minute: 0 }, ['kind', 'zone']],
    [{ kind: 'hourly', minute: 15 }, ['kind', 'words', 'zone']],
  ] as const)('shows only the inputs that %j needs', (cadence, expected) => {
    const { blocks } = scheduleForm(about, valuesOfDigest({ cadence, zone: 'UTC' }), offer);
    const names = blocks.flatMap(({ block_id: id = '' }) => (id.startsWith('digest_') ? [id.slice(7)] : []));
    expect(names).toEqual([
      ...expected,
      'when',
      ...(isForManagers(offer.request.report) ? ['audience'] : []),
      'channel',
      'skip_empty',
      'keep_days',
    ]);
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
