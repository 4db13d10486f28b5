import { describe, expect, test } from 'vitest';
import {
  adviseMessage,
  validateMessage,
  validateOptionsAnswer,
  validateView,
  validateViewAnswer,
} from '../../../../../playground/slack/server/validator/validate.js';
import * as make from './samples.js';

const { chars, codes, home, input, longest, many, modal, most, option, options, plain, section } = make;
const field = (more: object = {}) => ({ type: 'plain_text_input', ...more });
const divider = { type: 'divider' };
const dividers = (count: number) => many(count, () => divider);

const messages: readonly make.Rule[] = [
  most('blocks', 50, (count) => ({ blocks: dividers(count) }), '/blocks'),
  [
    'block_id once',
    { blocks: [section({ block_id: 'a' }), divider] },
    { blocks: [section({ block_id: 'a' }), { ...divider, block_id: 'a' }] },
    'not_unique /blocks/1/block_id',
  ],
  [
    'one table',
    { blocks: [make.table(1, 1)] },
    { blocks: [make.table(1, 1), make.table(1, 1)] },
    'only_one_table_allowed /blocks/1',
  ],
  [
    'two charts',
    { blocks: many(2, () => make.pie([make.segment(1)])) },
    { blocks: many(3, () => make.pie([make.segment(1)])) },
    'too_many /blocks/2',
  ],
  [
    'markdown together',
    {
      blocks: [
        { type: 'markdown', text: chars(6000) },
        { type: 'markdown', text: chars(6000) },
      ],
    },
    {
      blocks: [
        { type: 'markdown', text: chars(6000) },
        { type: 'markdown', text: chars(6001) },
      ],
    },
    'too_long /blocks',
  ],
  [
    'all characters together',
    { blocks: many(5, () => section({ text: plain(chars(2600)) })) },
    { blocks: many(5, () => section({ text: plain(chars(2601)) })) },
    'msg_blocks_too_long /blocks',
  ],
  [
    'children count',
    { blocks: [...dividers(48), { type: 'container', title: plain('x'), child_blocks: [divider] }] },
    { blocks: [...dividers(49), { type: 'container', title: plain('x'), child_blocks: [divider] }] },
    'too_many /blocks',
  ],
  [
    'attachments',
    { attachments: many(100, () => ({})) },
    { attachments: many(101, () => ({})) },
    'too_many_attachments /attachments',
  ],
  [
    'blocks of attachments',
    { attachments: [{ blocks: [divider] }] },
    { attachments: [{ blocks: [{ type: 'x' }] }] },
    'not_allowed_here /attachments/0/blocks/0',
  ],
  ['text is text', { text: 'x' }, { text: 1 }, 'wrong_type /text'],
];

describe('messages', () => {
  test.each(messages)('%s', (_name, good, bad, said) => {
    expect(codes(validateMessage(good as Record<string, unknown>))).toEqual([]);
    expect(codes(validateMessage(bad as Record<string, unknown>))).toContain(said);
  });

  test('IDs and URLs do not count as characters', () => {
    const quiet = section({ text: plain(chars(1)), block_id: chars(255) });
    const buttons = many(20, (index) => make.button(index, { text: plain('x'), value: chars(2000) }));
    expect(validateMessage({ blocks: [quiet, make.actions(...buttons)] })).toEqual([]);
  });

  test('advice about the text', () => {
    expect(adviseMessage({ text: chars(4000) })).toEqual([]);
    expect(codes(adviseMessage({ text: chars(4001) }))).toEqual(['too_long /text']);
    expect(codes(adviseMessage({ blocks: [divider] }))).toEqual(['missing /text']);
    const long = (length: number) => many(5, () => section({ text: plain(chars(length)) }));
    expect(adviseMessage({ text: 'x', blocks: long(2400) })).toEqual([]);
    expect(codes(adviseMessage({ text: 'x', blocks: long(2401) }))).toEqual(['too_long /blocks']);
  });
});

const views: readonly make.Rule[] = [
  most('modal blocks', 100, (count) => modal(dividers(count)), '/blocks'),
  most('home blocks', 100, (count) => home(dividers(count)), '/blocks'),
  longest('title', 24, (text) => modal([], { title: plain(text) }), '/title/text'),
  longest('submit', 24, (text) => modal([], { submit: plain(text) }), '/submit/text'),
  longest('close', 24, (text) => modal([], { close: plain(text) }), '/close/text'),
  longest('private metadata', 3000, (text) => modal([], { private_metadata: text }), '/private_metadata'),
  longest('callback_id', 255, (text) => home([], { callback_id: text }), '/callback_id'),
  longest('external_id', 255, (text) => modal([], { external_id: text }), '/external_id'),
  ['title is needed', modal([]), modal([], { title: undefined }), 'missing '],
  ['blocks are needed', modal([]), { type: 'modal', title: plain('x') }, 'missing '],
  [
    'submit goes with inputs',
    modal([input(field())]),
    modal([input(field())], { submit: undefined }),
    'missing ',
  ],
  ['a home has no title', home([]), home([], { title: plain('x') }), 'unknown_member '],
  ['kind of view', home([]), { ...home([]), type: 'sheet' }, 'not_one_of /type'],
  ['no table in a modal', modal([section()]), modal([make.table(1, 1)]), 'not_allowed_here /blocks/0'],
  ['no chart at home', home([section()]), home([make.pie([make.segment(1)])]), 'not_allowed_here /blocks/0'],
  ['no table at home', home([section()]), home([make.dataTable(2, 1)]), 'not_allowed_here /blocks/0'],
  [
    'no markdown in a modal',
    modal([section()]),
    modal([{ type: 'markdown', text: 'x' }]),
    'not_allowed_here /blocks/0',
  ],
  [
    'alerts in a modal',
    modal([{ type: 'alert', text: plain('x') }]),
    home([{ type: 'alert', text: plain('x') }]),
    'not_allowed_here /blocks/0',
  ],
  [
    'cards at home',
    home([{ type: 'card', body: plain('x') }]),
    modal([{ type: 'card', body: plain('x') }]),
    'not_allowed_here /blocks/0',
  ],
  [
    'one focus',
    modal([input(field({ focus_on_load: true }))]),
    modal([input(field({ focus_on_load: true })), input(field({ focus_on_load: true }), { block_id: 'b' })]),
    'too_many /blocks/1/element/focus_on_load',
  ],
  [
    'bytes',
    modal(many(85, () => section({ text: plain(chars(2900)) }))),
    modal(many(90, () => section({ text: plain(chars(2900)) }))),
    'view_too_large ',
  ],
];

describe('views', () => {
  test.each(views)('%s', (_name, good, bad, said) => {
    expect(codes(validateView(good))).toEqual([]);
    expect(codes(validateView(bad))).toContain(said);
  });

  test('a payload that is not a view', () => {
    expect(codes(validateView('modal'))).toEqual(['wrong_type ']);
  });
});

describe('answers', () => {
  const groups = (count: number) => many(count, () => ({ label: plain('x'), options: options(1) }));
  const offered: readonly make.Rule[] = [
    most('options', 100, (count) => ({ options: options(count) }), '/options'),
    most('groups', 100, (count) => ({ option_groups: groups(count) }), '/option_groups'),
    longest(
      'option text',
      75,
      (text) => ({ options: [option(1, { text: plain(text) })] }),
      '/options/0/text/text',
    ),
    ['one of the two', { options: [] }, { options: [], option_groups: [] }, 'not_one '],
    ['something', { options: [] }, {}, 'not_one '],
  ];
  test.each(offered)('options: %s', (_name, good, bad, said) => {
    expect(codes(validateOptionsAnswer(good))).toEqual([]);
    expect(codes(validateOptionsAnswer(bad))).toContain(said);
  });

  const view = modal([input(field(), { block_id: 'name' }), section({ block_id: 'note' })]);
  const errors = (said: object) => ({ response_action: 'errors', errors: said });
  const submitted: readonly make.Rule[] = [
    [
      'errors under inputs',
      errors({ name: 'Taken' }),
      errors({ note: 'Taken' }),
      'not_an_input /errors/note',
    ],
    [
      'errors of the view',
      errors({ name: 'Taken' }),
      errors({ 'a/b': 'Taken' }),
      'not_an_input /errors/a~1b',
    ],
    ['errors there', errors({ name: 'x' }), errors({}), 'missing '],
    ['an empty answer', {}, { response_action: 'close' }, 'not_one_of /response_action'],
    [
      'an update',
      { response_action: 'update', view: modal([]) },
      { response_action: 'update', view: modal([{ type: 'x' }]) },
      'not_allowed_here /view/blocks/0',
    ],
    ['a push', { response_action: 'push', view: modal([]) }, { response_action: 'push' }, 'wrong_type /view'],
    ['clear', { response_action: 'clear' }, { response_action: 'clear all' }, 'not_one_of /response_action'],
  ];
  test.each(submitted)('to a submission: %s', (_name, good, bad, said) => {
    expect(codes(validateViewAnswer(good, view))).toEqual([]);
    expect(codes(validateViewAnswer(bad, view))).toContain(said);
  });
});
