import { describe, expect, it } from 'vitest';
import type { PageBlock } from '../../../../../playground/slack/web/blocks/page-block.js';
import { surfaceValues } from '../../../../../playground/slack/web/elements/element-state.js';

const input = (block_id: string, action_id: string, initial_value?: string): PageBlock => ({
  type: 'input',
  block_id,
  label: { type: 'plain_text', text: block_id },
  element: { type: 'plain_text_input', action_id, ...(initial_value === undefined ? {} : { initial_value }) },
});
const text = (value: string) => ({ type: 'plain_text_input', value });

describe('the values of a surface', () => {
  it('are initial values, then values of the server, then typed ones', () => {
    const blocks = [
      input('a', 'x', 'first'),
      input('b', 'x', 'first'),
      input('c', 'x', 'first'),
      input('d', 'x'),
    ];
    expect(
      surfaceValues(
        blocks,
        { b: { x: text('known') }, c: { x: text('known') } },
        { c: { x: text('typed') } },
      ),
    ).toEqual({
      a: { x: text('first') },
      b: { x: text('known') },
      c: { x: text('typed') },
      d: { x: { type: 'plain_text_input', value: null } },
    });
  });

  it('keep a typed value only while block, element and type stay the same', () => {
    const typed = { a: { x: text('typed') } };
    expect(surfaceValues([input('a', 'x', 'new')], {}, typed)).toEqual({ a: { x: text('typed') } });
    expect(surfaceValues([input('a2', 'x', 'new')], {}, typed)).toEqual({ a2: { x: text('new') } });
    expect(surfaceValues([input('a', 'y', 'new')], {}, typed)).toEqual({ a: { y: text('new') } });
    const other: PageBlock = {
      type: 'actions',
      block_id: 'a',
      elements: [{ type: 'datepicker', action_id: 'x', initial_date: '2026-11-20' }],
    };
    expect(surfaceValues([other], {}, typed)).toEqual({
      a: { x: { type: 'datepicker', selected_date: '2026-11-20' } },
    });
  });

  it('include elements in sections and containers, and no elements without a value', () => {
    const blocks: PageBlock[] = [
      {
        type: 'section',
        block_id: 's',
        text: { type: 'mrkdwn', text: 'x' },
        accessory: { type: 'users_select', action_id: 'u', initial_user: 'U1' },
      },
      {
        type: 'container',
        block_id: 'c',
        title: { type: 'plain_text', text: 'x' },
        child_blocks: [
          {
            type: 'actions',
            block_id: 'i',
            elements: [
              { type: 'button', action_id: 'b', text: { type: 'plain_text', text: 'Go' } },
              { type: 'multi_channels_select', action_id: 'm' },
            ],
          },
        ],
      },
    ];
    expect(surfaceValues(blocks, {}, {})).toEqual({
      s: { u: { type: 'users_select', selected_user: 'U1' } },
      i: { m: { type: 'multi_channels_select', selected_channels: [] } },
    });
  });
});
