import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../../../playground/slack/server/script/find.js';
import { plainRequest } from '../../../../src/requests/request.js';
import { destinationInputs } from '../../../../src/slack/builder/purposes.js';
import type { BuilderConversation } from '../../../../src/slack/forms/draft.js';
import { draftOf, here } from './rendered-builder.js';

function words(where: string, opened: Partial<BuilderConversation> | undefined): string {
  const { values } = draftOf(plainRequest('engagement'));
  const draft = { values: { ...values, where }, here: opened && { ...here, ...opened } };
  return wordsIn(destinationInputs(draft)).join(' | ');
}

const notMember = 'I am not in this conversation';
const directMessage = 'I send anything that names people to you';

describe('the destination in the builder', () => {
  it('lists what cannot be posted there', () => {
    expect(words('here', { mayNamePeople: true })).not.toMatch(`${notMember}|${directMessage}`);
    expect(words('here', {})).toContain(directMessage);
    expect(words('here', {})).not.toContain(notMember);
    expect(words('here', { kind: 'elsewhere' })).toContain(notMember);
    expect(words('channel', { kind: 'elsewhere', mayNamePeople: true })).toContain(directMessage);
    expect(words('channel', { kind: 'elsewhere', mayNamePeople: true })).not.toContain(notMember);
    expect(words('me', { kind: 'elsewhere' })).not.toMatch(`${notMember}|${directMessage}`);
  });

  it('names the conversation', () => {
    expect(words('here', {})).toContain('In this conversation');
    expect(words('here', { thread: '1.2' })).toContain('In this thread');
    expect(words('here', { kind: 'direct' })).toContain('In these direct messages');
    expect(words('me', undefined)).not.toContain('Here');
  });
});
