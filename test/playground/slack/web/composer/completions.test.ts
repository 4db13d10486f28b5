import { describe, expect, it } from 'vitest';
import type { PageChannel, PageUser } from '../../../../../playground/slack/server/page-protocol.js';
import {
  builtInCommands,
  completionsFor,
  pageActionForText,
  usageHint,
} from '../../../../../playground/slack/web/composer/completions.js';

const user = (id: string, name: string, handle: string): PageUser => ({
  id,
  name,
  handle,
  title: '',
  email: '',
  zone: 'UTC',
  kind: 'member',
  initials: '',
  colour: '#000000',
});
const channel = (id: string, name: string): PageChannel => ({
  id,
  kind: 'public',
  name,
  topic: '',
  members: [],
  hasBot: true,
  joined: true,
  archived: false,
  shared: false,
  sharePending: false,
  readOnly: false,
});
const known = {
  commands: [{ command: '/report', description: 'Ask', usageHint: '[report | help]' }, ...builtInCommands],
  users: [
    user('U1', 'Ada Moreau', 'ada'),
    user('UB', 'Rollcall', 'rollcall'),
    user('US', 'Slackbot', 'slackbot'),
  ],
  channels: [channel('C1', 'learning'), channel('C2', 'sales')],
};
const offered = (text: string, caret = text.length) =>
  completionsFor(text, caret, known)?.completions.map((one) => one.insert);

describe('completion', () => {
  it('suggests commands at the start only', () => {
    expect(offered('/rep')).toEqual(['/report ']);
    expect(offered('/')).toContain('/invite ');
    expect(offered('/report eng')).toBeUndefined();
    expect(offered('see /rep')).toBeUndefined();
  });

  it('suggests people and channels', () => {
    expect(offered('hi @mor')).toEqual(['@ada ']);
    expect(offered('@')).toEqual(['@ada ', '@rollcall ']);
    expect(offered('in #sa')).toEqual(['#sales ']);
    expect(offered('me@exa')).toBeUndefined();
    expect(completionsFor('hi @ad and more', 6, known)).toMatchObject({ from: 3 });
  });

  it('shows the usage hint of a typed command', () => {
    expect(usageHint('/report engagement', known.commands)?.usageHint).toBe('[report | help]');
    expect(usageHint('/report', known.commands)).toBeUndefined();
    expect(usageHint('/leave now', known.commands)).toBeUndefined();
  });
});

describe('the action for a typed text', () => {
  it.each([
    ['hello', undefined, { type: 'post', channel: 'C1', text: 'hello' }],
    ['hello', '1.2', { type: 'post', channel: 'C1', text: 'hello', threadTs: '1.2' }],
    ['/report help ', undefined, { type: 'command', channel: 'C1', line: '/report help' }],
    [' /report help', undefined, { type: 'post', channel: 'C1', text: '/report help' }],
  ])('%j in thread %j', (text, threadTs, expected) => {
    expect(pageActionForText(text, { channel: 'C1', threadTs })).toEqual(expected);
  });

  it('has no action for a command in a thread', () => {
    expect(pageActionForText('/report', { channel: 'C1', threadTs: '1.2' })).toBeUndefined();
  });
});
