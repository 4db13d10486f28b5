import type { AnyBlock, ModalView } from '@slack/types';
import type { DigestDraft } from '../../digests/digest.js';
import { ok, refused } from '../../errors/failure.js';
import { dayNames } from '../../requests/calendar-words.js';
import type { Asker } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import { isForManagers } from '../../requests/to-managers.js';
import { weekdays } from '../../schedule/cadence.js';
import { parseKeepDays } from '../../schedule/keep-days.js';
import type { ListenerParts } from '../answers/context.js';
import { validateDigest } from '../digests/validate.js';
import {
  type AlertOffer,
  type CountedRequest,
  conditionInputs,
  conditionValues,
  inputOfCondition,
  isAlertForm,
  readConditionInputs,
} from '../forms/alert-choices.js';
import {
  cadenceKinds,
  cadenceValues,
  digestInputs as ids,
  inputOfTime,
  inputsOfKind,
  parseCadenceValues,
  withUsualCadence,
} from '../forms/cadence-choices.js';
import { form, linesInput, inputs as names } from '../forms/forms.js';
import {
  channelInput,
  daysInput,
  type FormValues,
  input,
  listIn,
  multiSelectInput,
  option,
  optionsFor,
  selectInput,
  textIn,
  textInput,
} from '../forms/inputs.js';
import { type AcknowledgeDeadline, resultBy } from '../forms/modal.js';
import { button, buttons, section } from '../messages/blocks.js';
import { digestActions } from '../messages/digests.js';

export const digestViews = {
  /** The schedule form. Its private metadata is the request's ID and the channel of the answer. */
  cadence: 'digest_cadence',
} as const;

/** The fields of a digest. The form under an answer and the builder both have them, as inputs of the same names. */
type DigestField = keyof typeof ids;

type FilledIn = Pick<
  DigestDraft,
  'request' | 'cadence' | 'zone' | 'when' | 'channel' | 'skipEmpty' | 'replace' | 'keepDays' | 'audience'
>;

export function valuesOfDigest({ cadence, zone, channel, ...options }: Partial<FilledIn>): FormValues {
  return {
    ...(cadence && cadenceValues(cadence)),
    [ids.zone]: zone,
    ...conditionValues(options.when, options.request),
    ...(options.audience && { [ids.audience]: options.audience }),
    ...(channel && { [ids.channel]: channel.startsWith('D') ? null : channel }),
    [ids['skip-empty']]: compact(options.skipEmpty && 'skip', options.replace && 'replace'),
    [ids['keep-days']]: options.keepDays ? String(options.keepDays) : null,
  };
}

const days = weekdays.map((value) => ({ value, text: dayNames[value] }));
const monthDays = [
  ...Array.from({ length: 31 }, (_, i) => ({ value: String(i + 1), text: String(i + 1) })),
  { value: 'last', text: 'The last day' },
];
const audiences = [
  { value: 'channel', text: 'A channel, or me' },
  { value: 'managers', text: 'Each manager, their own team' },
] as const;

const mayGoToManagers = ({ report, scorecard }: CountedRequest) => !scorecard && isForManagers(report);

/** Each manager gets their own team's. */
function goesToManagers(values: FormValues, request: CountedRequest): boolean {
  return mayGoToManagers(request) && textIn(values, ids.audience) === 'managers';
}

const skipOption = { value: 'skip', text: 'Skip when there are no results' };
const replaceOption = { value: 'replace', text: 'Delete the last message when the next one is posted' };

/**
 * Schedule, condition, channel and options, with a button that sends a test. The kind of cadence and of condition decides
 * the inputs.
 */
export function digestInputs(values: FormValues, offer: AlertOffer): AnyBlock[] {
  const filled = withUsualCadence(values);
  const text = (field: DigestField) => textIn(filled, ids[field]);
  const kind = text('kind');
  const shown = inputsOfKind(kind);
  // An alert posts only when it has something to say.
  const toManagers = goesToManagers(values, offer.request);
  const options = compact(!isAlertForm(values) && skipOption, !toManagers && replaceOption);
  return compact(
    selectInput(ids.kind, 'How often', cadenceKinds, kind, { dispatches: true }),
    shown.includes('days') &&
      multiSelectInput(ids.days, 'Days of the week', days, listIn(filled, ids.days), {
        optional: false,
      }),
    shown.includes('day') &&
      selectInput(
        ids.day,
        { label: 'Day of the month', hint: 'In shorter months, the 31st means the last day.' },
        monthDays.filter(({ value }) => kind !== 'quarterly' || value !== 'last'),
        text('day'),
      ),
    shown.includes('time') && input(ids.time, 'Time', { type: 'timepicker', initial_time: text('time') }),
    shown.includes('words') &&
      textInput(ids.words, { label: 'Custom schedule', hint: examples }, text('words'), { maxLength: 150 }),
    // Optional, because not every form knows the reader's zone when it is built.
    textInput(ids.zone, { label: 'Time zone', hint: zoneHint }, text('zone'), {
      maxLength: 60,
      optional: true,
    }),
    conditionInputs(values, offer),
    mayGoToManagers(offer.request) &&
      selectInput(ids.audience, 'Send to', audiences, toManagers ? 'managers' : 'channel', {
        dispatches: true,
      }),
    !toManagers &&
      channelInput(
        ids.channel,
        'Channel (leave empty for your direct messages)',
        textIn(values, ids.channel) || undefined,
        {
          optional: true,
        },
      ),
    options.length > 0 &&
      input(
        ids['skip-empty'],
        'Options',
        {
          type: 'checkboxes',
          options: options.map(option),
          initial_options: optionsFor(listIn(values, ids['skip-empty']), options),
        },
        { optional: true },
      ),
    daysInput(
      ids['keep-days'],
      'Delete messages and files after (days)',
      textIn(values, ids['keep-days']) || undefined,
    ),
    buttons(button(digestActions.testForm, 'Send me a test', '-')),
  );
}

/** The form under an answer, and the one that edits a digest of a scorecard. */
export function scheduleForm(about: FormAbout, values: FormValues, offer: AlertOffer): ModalView {
  const inputs = compact(
    about.draft !== undefined && linesInput(textIn(values, names.lines)),
    digestInputs(values, offer),
  );
  const shown = new Set(inputs.map(({ block_id: name }) => name));
  const hidden = Object.entries(values).filter(([name, value]) => value?.length && !shown.has(name));
  return form(
    digestViews.cadence,
    formatFormAbout(about, Object.fromEntries(hidden)),
    about.draft === undefined ? 'Schedule' : 'Edit a digest',
    'Show next times',
    [section('You can check the next three times before anything is saved.'), ...inputs],
  );
}

/** What a form of a digest is about. */
interface FormAbout {
  /** The ID of an answer's request. */
  readonly answer?: string;
  /** The ID of the draft of a scorecard's digest that it edits. */
  readonly draft?: string;
  /** The channel of the answer, or where the form was opened. */
  readonly channel: string;
}

/** Slack keeps no more. */
const maxMetadataLength = 3000;

/** With the values of hidden inputs, which Slack does not keep: their inputs may be shown again. */
function formatFormAbout({ answer, draft, channel }: FormAbout, hidden: FormValues): string {
  const about = `${draft === undefined ? answer : `${ofDraft}${draft}`} ${channel}`;
  const whole = `${about} ${encodeURIComponent(JSON.stringify(hidden))}`;
  return whole.length > maxMetadataLength ? about : whole;
}

export function parseFormAbout(metadata: string): FormAbout & { readonly hidden: FormValues } {
  const [id = '', channel = '', hidden = '%7B%7D'] = metadata.split(' ');
  const about = id.startsWith(ofDraft) ? { draft: id.slice(ofDraft.length) } : { answer: id };
  return { ...about, channel, hidden: JSON.parse(decodeURIComponent(hidden)) };
}

/** No ID of a request begins with this. */
const ofDraft = 'draft:';

const examples = 'For example: every 3 weeks fri 16:00, monthly last fri 15:00, or cron "0 9 * * 1-5".';
const zoneHint = 'For example: Europe/Berlin or America/New_York. Leave empty to use your own.';

/** @param zone the time zone if none is typed */
export function readDigest(values: FormValues, zone: string, request: CountedRequest) {
  const schedule = parseCadenceValues(values, zone);
  if (!schedule.ok) return schedule;
  const when = readConditionInputs(values, request);
  if (!when.ok) return when;
  const checked = listIn(values, ids['skip-empty']);
  return ok({
    ...schedule.value,
    when: when.value,
    channel: textIn(values, ids.channel) || undefined,
    audience: goesToManagers(values, request) ? ('managers' as const) : undefined,
    skipEmpty: !isAlertForm(values) && checked.includes('skip'),
    replace: !goesToManagers(values, request) && checked.includes('replace'),
    keepDays: parseKeepDays(textIn(values, ids['keep-days'])),
  });
}

/**
 * What a form that need not be valid says of its digest: where it goes (undefined: direct messages), when and in which
 * zone, and the condition of an alert.
 */
export function digestInForm(values: FormValues, zone: string, request: CountedRequest) {
  const schedule = parseCadenceValues(values, zone);
  const when = readConditionInputs(values, request);
  return {
    channel: textIn(values, ids.channel) || undefined,
    audience: goesToManagers(values, request) ? ('managers' as const) : undefined,
    zone: schedule.ok ? schedule.value.zone : undefined,
    cadence: schedule.ok ? schedule.value.cadence : undefined,
    when: when.ok ? when.value : undefined,
  };
}

interface DigestForm extends Pick<DigestDraft, 'owner' | 'changes' | 'request'> {
  readonly maker: Asker;
  readonly values: FormValues;
  readonly deadline: AcknowledgeDeadline;
  readonly requestInputs?: { readonly range: string; readonly request: string };
}

/**
 * Validates a form by its deadline. It only reads. `known`: what the validation of the draft said, if it ended before the
 * form had to close.
 */
export async function proposeDigest(
  { values, maker, deadline, request, requestInputs, ...target }: DigestForm,
  parts: ListenerParts,
) {
  const read = readDigest(values, maker.zone, request);
  if (!read.ok) return read;
  const makeDraft = async (): Promise<DigestDraft> => ({
    ...target,
    ...read.value,
    request: { ...request, toMe: false },
    channel: read.value.channel ?? (await parts.channels.directWith(target.owner)),
  });
  const draft = makeDraft();
  const validating = draft.then((made) => validateDigest(made, maker.id, parts));
  // A check that takes too long runs again once the form has closed, and the reply has its result.
  const known = await resultBy(deadline.lookUpBy, validating).catch(() => undefined);
  if (!known || known.ok) return ok({ draft, known });
  const { about, sentence } = known.refusal;
  const kind = textIn(withUsualCadence(values), ids.kind);
  // The form under an answer has no inputs for its request: its first input shows the sentence.
  const ofDigest = {
    channel: ids.channel,
    time: inputOfTime(kind),
    condition: inputOfCondition(read.value.when),
  };
  const inputs = { ...ofDigest, request: '', range: '', ...requestInputs };
  return refused({ input: inputs[about], sentence });
}
