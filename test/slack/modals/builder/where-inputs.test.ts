import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../../../playground/slack/server/script/find.js';
import { plainRequest } from '../../../../src/requests/request.js';
import { stateFromRequest } from '../../../../src/slack/modals/builder/read-state.js';
import type { BuilderDraft, OpenedIn, Where } from '../../../../src/slack/modals/builder/state.js';
import { whereInputs } from '../../../../src/slack/modals/builder/view.js';
import { here } from './rendered-builder.js';

function words(where: Where, opened: Partial<OpenedIn> | undefined): string {
  const draft: BuilderDraft = {
    state: { ...stateFromRequest(plainRequest('engagement')), where },
    purpose: 'run',
    extra: {},
    remarks: [],
    here: opened && { ...here, ...opened },
  };
  return wordsIn(whereInputs(draft)).join(' | ');
}

const notMember = 'I am not in this conversation';
const names = 'Anything that names people comes to you';

describe('where the answer goes, on the form', () => {
  it('says what does not go here', () => {
    expect(words('here', { mayNamePeople: true })).not.toMatch(`${notMember}|${names}`);
    expect(words('here', {})).toContain(names);
    expect(words('here', {})).not.toContain(notMember);
    expect(words('here', { kind: 'elsewhere' })).toContain(notMember);
    expect(words('channel', { kind: 'elsewhere', mayNamePeople: true })).toContain(names);
    expect(words('channel', { kind: 'elsewhere', mayNamePeople: true })).not.toContain(notMember);
    expect(words('me', { kind: 'elsewhere' })).not.toMatch(`${notMember}|${names}`);
  });

  it('names the place', () => {
    expect(words('here', {})).toContain('In this conversation');
    expect(words('here', { thread: '1.2' })).toContain('In this thread');
    expect(words('here', { kind: 'direct' })).toContain('In these direct messages');
    expect(words('me', undefined)).not.toContain('Here');
  });
});
