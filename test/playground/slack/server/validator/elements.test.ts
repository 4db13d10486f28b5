import { describe, expect, test } from 'vitest';
import { validateView } from '../../../../../playground/slack/server/validator/validate.js';
import * as make from './samples.js';

const { button, fewest, longest, many, most, mrkdwn, option, options, plain } = make;
const inActions = (element: object) => make.actions(element);
const inInput = (element: object) => make.input(element);
const checkboxes = (more: object) => inActions({ type: 'checkboxes', options: options(2), ...more });
const radio = (more: object) => inActions({ type: 'radio_buttons', options: options(2), ...more });
const overflow = (more: object) => inActions({ type: 'overflow', options: options(2), ...more });
const select = (more: object) => inActions({ type: 'static_select', options: options(2), ...more });
const multi = (more: object) => inActions({ type: 'multi_static_select', options: options(2), ...more });
const external = (more: object) => inActions({ type: 'external_select', ...more });
const conversations = (more: object) => inInput({ type: 'conversations_select', ...more });
const typing = (more: object) => inInput({ type: 'plain_text_input', ...more });
const numbers = (more: object) => inInput({ type: 'number_input', is_decimal_allowed: true, ...more });
const rich = (more: object) => inInput({ type: 'rich_text_input', ...more });
const confirm = (more: object) => inActions(button(1, { confirm: { text: plain('x'), ...more } }));
const withOption = (more: object) => select({ options: [option(1, more)] });
const group = (count: number) => ({ label: plain('x'), options: options(count) });
const grouped = (...option_groups: object[]) => select({ options: undefined, option_groups });
const at = '/blocks/0/elements/0';
const inside = '/blocks/0/element';

const rules: readonly make.Rule[] = [
  longest('button text', 75, (text) => inActions(button(1, { text: plain(text) })), `${at}/text/text`),
  [
    'button text is plain',
    inActions(button(1)),
    inActions(button(1, { text: mrkdwn('x') })),
    `not_allowed_here ${at}/text`,
  ],
  longest('button value', 2000, (value) => inActions(button(1, { value })), `${at}/value`),
  longest('button address', 3000, (url) => inActions(button(1, { url })), `${at}/url`),
  longest(
    'button label',
    75,
    (text) => inActions(button(1, { accessibility_label: text })),
    `${at}/accessibility_label`,
  ),
  [
    'button style',
    inActions(button(1, { style: 'danger' })),
    inActions(button(1, { style: 'default' })),
    `not_one_of ${at}/style`,
  ],
  longest('confirm title', 100, (text) => confirm({ title: plain(text) }), `${at}/confirm/title/text`),
  longest('confirm text', 300, (text) => confirm({ text: mrkdwn(text) }), `${at}/confirm/text/text`),
  longest('confirm yes', 30, (text) => confirm({ confirm: plain(text) }), `${at}/confirm/confirm/text`),
  longest('confirm no', 30, (text) => confirm({ deny: plain(text) }), `${at}/confirm/deny/text`),
  ['confirm needs text', confirm({}), confirm({ text: undefined }), `missing ${at}/confirm`],
  most('checkboxes', 10, (count) => checkboxes({ options: options(count) }), `${at}/options`),
  fewest('checkboxes', 1, (count) => checkboxes({ options: options(count) }), `${at}/options`),
  most('radio buttons', 10, (count) => radio({ options: options(count) }), `${at}/options`),
  most('overflow', 5, (count) => overflow({ options: options(count) }), `${at}/options`),
  [
    'mrkdwn options',
    checkboxes({ options: [option(1, { text: mrkdwn('x') })] }),
    withOption({ text: mrkdwn('x') }),
    `not_allowed_here ${at}/options/0/text`,
  ],
  [
    'addresses of options',
    overflow({ options: [option(1, { url: 'https://x' })] }),
    withOption({ url: 'https://x' }),
    `unknown_member ${at}/options/0`,
  ],
  longest('option text', 75, (text) => withOption({ text: plain(text) }), `${at}/options/0/text/text`),
  longest('option value', 75, (value) => withOption({ value }), `${at}/options/0/value`),
  longest(
    'option description',
    75,
    (text) => withOption({ description: plain(text) }),
    `${at}/options/0/description/text`,
  ),
  ['option needs a value', withOption({}), withOption({ value: undefined }), `missing ${at}/options/0`],
  most('select options', 100, (count) => select({ options: options(count) }), `${at}/options`),
  fewest('select options', 1, (count) => select({ options: options(count) }), `${at}/options`),
  most('select groups', 100, (count) => grouped(...many(count, () => group(1))), `${at}/option_groups`),
  most('options of a group', 100, (count) => grouped(group(count)), `${at}/option_groups/0/options`),
  longest(
    'group label',
    75,
    (text) => grouped({ ...group(1), label: plain(text) }),
    `${at}/option_groups/0/label/text`,
  ),
  ['options or groups', select({}), select({ option_groups: [group(1)] }), `not_one ${at}`],
  ['options are needed', select({}), select({ options: undefined }), `not_one ${at}`],
  longest('placeholder', 150, (text) => select({ placeholder: plain(text) }), `${at}/placeholder/text`),
  [
    'chosen at first',
    select({ initial_option: option(1) }),
    select({ initial_option: option(7) }),
    `not_offered ${at}/initial_option`,
  ],
  [
    'chosen at first, in a group',
    grouped(group(2)),
    select({ options: options(1), initial_option: option(1) }),
    `not_offered ${at}/initial_option`,
  ],
  [
    'several chosen at first',
    multi({ initial_options: options(2) }),
    multi({ initial_options: [option(7)] }),
    `not_offered ${at}/initial_options/0`,
  ],
  [
    'most to select',
    multi({ max_selected_items: 1 }),
    multi({ max_selected_items: 0 }),
    `too_small ${at}/max_selected_items`,
  ],
  [
    'more chosen than may be',
    multi({ max_selected_items: 2, initial_options: options(2) }),
    multi({ max_selected_items: 1, initial_options: options(2) }),
    `too_many ${at}/initial_options`,
  ],
  [
    'query length',
    external({ min_query_length: 0 }),
    external({ min_query_length: -1 }),
    `too_small ${at}/min_query_length`,
  ],
  [
    'filter says something',
    conversations({ filter: { include: ['im'] } }),
    conversations({ filter: {} }),
    `missing ${inside}/filter`,
  ],
  [
    'filter kinds',
    conversations({ filter: { include: ['private'] } }),
    conversations({ filter: { include: ['secret'] } }),
    `not_one_of ${inside}/filter/include/0`,
  ],
  [
    'filter kinds, fewest',
    conversations({ filter: { include: ['mpim'] } }),
    conversations({ filter: { include: [] } }),
    `too_few ${inside}/filter/include`,
  ],
  [
    'response addresses only from modal inputs',
    conversations({ response_url_enabled: true }),
    inActions({ type: 'conversations_select', response_url_enabled: true }),
    `not_allowed_here ${at}/response_url_enabled`,
  ],
  [
    'shortest length',
    typing({ min_length: 3000 }),
    typing({ min_length: 3001 }),
    `too_large ${inside}/min_length`,
  ],
  [
    'longest length',
    typing({ max_length: 3000 }),
    typing({ max_length: 3001 }),
    `too_large ${inside}/max_length`,
  ],
  [
    'longest length, least',
    typing({ max_length: 1 }),
    typing({ max_length: 0 }),
    `too_small ${inside}/max_length`,
  ],
  [
    'lengths in order',
    typing({ min_length: 2, max_length: 2 }),
    typing({ min_length: 3, max_length: 2 }),
    `reversed ${inside}/min_length`,
  ],
  [
    'first text fits',
    typing({ max_length: 2, initial_value: 'xx' }),
    typing({ max_length: 2, initial_value: 'xxx' }),
    `too_long ${inside}/initial_value`,
  ],
  [
    'dispatch on',
    typing({ dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } }),
    typing({ dispatch_action_config: { trigger_actions_on: ['on_blur'] } }),
    `not_one_of ${inside}/dispatch_action_config/trigger_actions_on/0`,
  ],
  ['lines', rich({ max_lines: 100 }), rich({ max_lines: 101 }), `too_large ${inside}/max_lines`],
  [
    'lines in order',
    rich({ min_lines: 2, max_lines: 2 }),
    rich({ min_lines: 3, max_lines: 2 }),
    `reversed ${inside}/min_lines`,
  ],
  ['decimals said', numbers({}), inInput({ type: 'number_input' }), `missing ${inside}`],
  [
    'number as text',
    numbers({ min_value: '-1.5' }),
    numbers({ min_value: 1 }),
    `wrong_type ${inside}/min_value`,
  ],
  [
    'number like one',
    numbers({ max_value: '1' }),
    numbers({ max_value: '1e3' }),
    `bad_format ${inside}/max_value`,
  ],
  [
    'numbers in order',
    numbers({ min_value: '9', max_value: '10' }),
    numbers({ min_value: '10', max_value: '9' }),
    `reversed ${inside}/min_value`,
  ],
  [
    'date',
    inInput({ type: 'datepicker', initial_date: '2026-11-20' }),
    inInput({ type: 'datepicker', initial_date: '20.11.2026' }),
    `bad_format ${inside}/initial_date`,
  ],
  [
    'time',
    inInput({ type: 'timepicker', initial_time: '23:59' }),
    inInput({ type: 'timepicker', initial_time: '24:00' }),
    `bad_format ${inside}/initial_time`,
  ],
  [
    'zone',
    inInput({ type: 'timepicker', timezone: 'Asia/Kolkata' }),
    inInput({ type: 'timepicker', timezone: 'Mars/Olympus' }),
    `bad_format ${inside}/timezone`,
  ],
  [
    'moment',
    inInput({ type: 'datetimepicker', initial_date_time: 1_795_000_000 }),
    inInput({ type: 'datetimepicker', initial_date_time: 1_795_000_000_000 }),
    `too_large ${inside}/initial_date_time`,
  ],
  ['files need a scope', typing({}), inInput({ type: 'file_input' }), `not_allowed_here ${inside}`],
];

describe('elements in a modal', () => {
  test.each(rules)('%s', (_name, good, bad, said) => {
    expect(make.codes(validateView(make.modal([good])))).toEqual([]);
    expect(make.codes(validateView(make.modal([bad])))).toContain(said);
  });
});
