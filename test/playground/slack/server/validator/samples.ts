import type { RuleViolation } from '../../../../../playground/slack/server/page-shapes.js';

/** `length` characters. */
export const chars = (length: number) => 'x'.repeat(length);
/** `count` things, each made from its index. */
export const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

export const plain = (text: string) => ({ type: 'plain_text', text });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
export const option = (index: number, more: object = {}) => ({
  text: plain(`Option ${index}`),
  value: `value-${index}`,
  ...more,
});
export const options = (count: number) => many(count, (index) => option(index));
export const button = (index: number, more: object = {}) => ({
  type: 'button',
  action_id: `button-${index}`,
  text: plain('Press'),
  ...more,
});
export const actions = (...elements: object[]) => ({ type: 'actions', elements });
export const section = (more: object = {}) => ({ type: 'section', text: mrkdwn('Words'), ...more });
export const accessory = (element: object) => section({ accessory: element });
export const input = (element: object, more: object = {}) => ({
  type: 'input',
  block_id: 'input',
  label: plain('Label'),
  element,
  ...more,
});
export const modal = (blocks: object[], more: object = {}) => ({
  type: 'modal',
  title: plain('Title'),
  submit: plain('Send'),
  blocks,
  ...more,
});
export const home = (blocks: object[], more: object = {}) => ({ type: 'home', blocks, ...more });
export const cell = (text: string) => ({ type: 'raw_text', text });
export const row = (columns: number) => many(columns, () => cell('x'));
export const table = (rows: number, columns: number, more: object = {}) => ({
  type: 'table',
  rows: many(rows, () => row(columns)),
  ...more,
});
export const dataTable = (rows: number, columns: number, more: object = {}) => ({
  type: 'data_table',
  caption: 'Caption',
  rows: many(rows, () => row(columns)),
  ...more,
});
export const pie = (segments: object[], more: object = {}) => ({
  type: 'data_visualization',
  title: 'Chart',
  chart: { type: 'pie', segments },
  ...more,
});
export const segment = (index: number, more: object = {}) => ({ label: `Part ${index}`, value: 1, ...more });
export const bars = (series: object[], categories: string[], more: object = {}) => ({
  type: 'data_visualization',
  title: 'Chart',
  chart: { type: 'bar', series, axis_config: { categories, ...more } },
});
export const points = (categories: string[]) => categories.map((label) => ({ label, value: 1 }));

export const codes = (rules: readonly RuleViolation[]) => rules.map((rule) => `${rule.code} ${rule.pointer}`);

/** One rule: its name, a payload at the limit, one beyond it, and the `code pointer` said of that one. */
export type Rule = readonly [name: string, good: object, bad: object, said: string];

export const longest = (name: string, limit: number, of: (text: string) => object, at: string): Rule => [
  name,
  of(chars(limit)),
  of(chars(limit + 1)),
  `too_long ${at}`,
];
export const most = (name: string, limit: number, of: (count: number) => object, at: string): Rule => [
  `${name}, most`,
  of(limit),
  of(limit + 1),
  `too_many ${at}`,
];
export const fewest = (name: string, limit: number, of: (count: number) => object, at: string): Rule => [
  `${name}, fewest`,
  of(limit),
  of(limit - 1),
  `too_few ${at}`,
];
