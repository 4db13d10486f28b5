import { describe, expect, test } from 'vitest';
import { validateBlocks } from '../../../../../playground/slack/server/validator/validate.js';
import * as make from './samples.js';

const { actions, button, chars, fewest, longest, many, most, mrkdwn, plain, section } = make;
const richText = (...elements: object[]) => ({ type: 'rich_text', elements });
const inSection = (...elements: object[]) => richText({ type: 'rich_text_section', elements });
const inList = (more: object) => richText({ type: 'rich_text_list', style: 'bullet', elements: [], ...more });
const image = (more: object = {}) => ({
  type: 'image',
  alt_text: 'x',
  image_url: 'https://x.test/a.png',
  ...more,
});
const header = (more: object) => ({ type: 'header', text: plain('x'), ...more });
const context = (...elements: object[]) => ({ type: 'context', elements });
const field = { type: 'plain_text_input' };
const leaf = '/blocks/0/elements/0/elements/0';

const rules: readonly make.Rule[] = [
  longest('section text', 3000, (text) => section({ text: mrkdwn(text) }), '/blocks/0/text/text'),
  ['section text, shortest', section(), section({ text: mrkdwn('') }), 'too_short /blocks/0/text/text'],
  ['section needs text or fields', section(), { type: 'section' }, 'missing /blocks/0'],
  most(
    'section fields',
    10,
    (count) => section({ fields: many(count, () => plain('x')) }),
    '/blocks/0/fields',
  ),
  longest('section field', 2000, (text) => section({ fields: [plain(text)] }), '/blocks/0/fields/0/text'),
  [
    'section accessory',
    make.accessory(button(1)),
    make.accessory(field),
    'not_allowed_here /blocks/0/accessory',
  ],
  [
    'text object',
    section(),
    section({ text: { type: 'raw_text', text: 'x' } }),
    'not_allowed_here /blocks/0/text',
  ],
  ['text object, not a string', section(), section({ text: 'x' }), 'wrong_type /blocks/0/text'],
  ['unknown member', section(), section({ txt: 'x' }), 'unknown_member /blocks/0'],
  [
    'emoji only in plain text',
    section({ text: { ...plain('x'), emoji: false } }),
    section({ text: { ...mrkdwn('x'), emoji: false } }),
    'unknown_member /blocks/0/text',
  ],
  [
    'verbatim only in mrkdwn',
    section({ text: { ...mrkdwn('x'), verbatim: true } }),
    section({ text: { ...plain('x'), verbatim: true } }),
    'unknown_member /blocks/0/text',
  ],
  longest('block_id', 255, (text) => section({ block_id: text }), '/blocks/0/block_id'),
  ['block type', section(), { type: 'paragraph' }, 'not_allowed_here /blocks/0'],
  ['block without a type', section(), { text: plain('x') }, 'missing /blocks/0'],
  longest('header', 150, (text) => header({ text: plain(text) }), '/blocks/0/text/text'),
  ['header is plain', header({}), header({ text: mrkdwn('x') }), 'not_allowed_here /blocks/0/text'],
  ['header level', header({ level: 4 }), header({ level: 5 }), 'too_large /blocks/0/level'],
  most('actions', 25, (count) => actions(...many(count, (index) => button(index))), '/blocks/0/elements'),
  fewest('actions', 1, (count) => actions(...many(count, (index) => button(index))), '/blocks/0/elements'),
  [
    'in actions',
    actions({ type: 'datetimepicker' }),
    actions(image()),
    'not_allowed_here /blocks/0/elements/0',
  ],
  longest(
    'action_id',
    255,
    (text) => actions(button(1, { action_id: text })),
    '/blocks/0/elements/0/action_id',
  ),
  [
    'action_id once in a block',
    actions(button(1), button(2)),
    actions(button(1), button(1)),
    'not_unique /blocks/0/elements/1/action_id',
  ],
  most('context', 10, (count) => context(...many(count, () => mrkdwn('x'))), '/blocks/0/elements'),
  longest('context text', 3000, (text) => context(mrkdwn(text)), '/blocks/0/elements/0/text'),
  ['in context', context(image(), plain('x')), context(button(1)), 'not_allowed_here /blocks/0/elements/0'],
  longest('image alt text', 2000, (text) => image({ alt_text: text }), '/blocks/0/alt_text'),
  ['image needs alt text', image(), image({ alt_text: undefined }), 'missing /blocks/0'],
  longest('image address', 2992, (text) => image({ image_url: `https://${text}` }), '/blocks/0/image_url'),
  ['image address is one', image(), image({ image_url: 'javascript:x' }), 'bad_format /blocks/0/image_url'],
  ['image from one place', image(), image({ slack_file: { id: 'F1' } }), 'not_one /blocks/0'],
  ['image from somewhere', image(), image({ image_url: undefined }), 'not_one /blocks/0'],
  [
    'slack file by one name',
    image({ image_url: undefined, slack_file: { id: 'F1' } }),
    image({ image_url: undefined, slack_file: { id: 'F1', url: 'https://x' } }),
    'not_one /blocks/0/slack_file',
  ],
  longest('image title', 2000, (text) => image({ title: plain(text) }), '/blocks/0/title/text'),
  longest('markdown', 12_000, (text) => ({ type: 'markdown', text }), '/blocks/0/text'),
  longest('input label', 2000, (text) => make.input(field, { label: plain(text) }), '/blocks/0/label/text'),
  longest('input hint', 2000, (text) => make.input(field, { hint: plain(text) }), '/blocks/0/hint/text'),
  [
    'input label is plain',
    make.input(field),
    make.input(field, { label: mrkdwn('x') }),
    'not_allowed_here /blocks/0/label',
  ],
  [
    'in input',
    make.input({ type: 'timepicker' }),
    make.input(button(1)),
    'not_allowed_here /blocks/0/element',
  ],
  ['input needs an element', make.input(field), { type: 'input', label: plain('x') }, 'missing /blocks/0'],
  ['list indent', inList({ indent: 8 }), inList({ indent: 9 }), 'too_large /blocks/0/elements/0/indent'],
  [
    'list style',
    inList({ style: 'ordered' }),
    inList({ style: 'dashed' }),
    'not_one_of /blocks/0/elements/0/style',
  ],
  ['list border', inList({ border: 1 }), inList({ border: 2 }), 'not_one_of /blocks/0/elements/0/border'],
  [
    'in a list',
    inList({ elements: [{ type: 'rich_text_section', elements: [] }] }),
    inList({ elements: [{ type: 'text', text: 'x' }] }),
    `not_allowed_here ${leaf}`,
  ],
  [
    'leaf style',
    inSection({ type: 'text', text: 'x', style: { bold: true } }),
    inSection({ type: 'text', text: 'x', style: { big: true } }),
    `unknown_member ${leaf}/style`,
  ],
  [
    'leaf text',
    inSection({ type: 'text', text: 'x' }),
    inSection({ type: 'text', text: '' }),
    `too_short ${leaf}/text`,
  ],
  ['leaf user', inSection({ type: 'user', user_id: 'U1' }), inSection({ type: 'user' }), `missing ${leaf}`],
  [
    'leaf date',
    inSection({ type: 'date', timestamp: 1, format: '{date}' }),
    inSection({ type: 'date', timestamp: 1 }),
    `missing ${leaf}`,
  ],
  [
    'in preformatted text',
    richText({ type: 'rich_text_preformatted', elements: [{ type: 'link', url: 'https://x' }] }),
    richText({ type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'U1' }] }),
    `not_allowed_here ${leaf}`,
  ],
  [
    'in rich text',
    richText({ type: 'rich_text_quote', elements: [] }),
    richText({ type: 'text', text: 'x' }),
    'not_allowed_here /blocks/0/elements/0',
  ],
];

describe('the blocks that every surface draws', () => {
  test.each(rules)('%s', (_name, good, bad, said) => {
    expect(make.codes(validateBlocks([good]))).toEqual([]);
    expect(make.codes(validateBlocks([bad]))).toContain(said);
  });

  test('a value that is no list of blocks', () => {
    expect(make.codes(validateBlocks({ type: 'section' }))).toEqual(['wrong_type /blocks']);
    expect(make.codes(validateBlocks(['x', null]))).toEqual(['wrong_type /blocks/0', 'wrong_type /blocks/1']);
  });

  test('a sentence names the limit as Slack does', () => {
    expect(validateBlocks([header({ text: plain(chars(151)) })])).toEqual([
      { code: 'too_long', message: 'must be less than 151 characters', pointer: '/blocks/0/text/text' },
    ]);
  });
});
