import { describe, expect, it } from 'vitest';
import { refusedBlocks } from '../../../src/slack/delivery/post-message.js';

describe('blocks that a workspace rejects', () => {
  it('are left out for a day after two different answers had them rejected', () => {
    let now = 1_000_000_000;
    const refused = refusedBlocks(() => now);
    expect(refused.firstVariant()).toBe(0);
    refused.posted('one', 1);
    refused.posted('one', 1);
    expect(refused.firstVariant()).toBe(0);
    refused.posted('two', 1);
    expect(refused.firstVariant()).toBe(1);
    now += 24 * 60 * 60_000;
    expect(refused.firstVariant()).toBe(0);
  });

  it('imply each other one way: rejected tables imply rejected charts', () => {
    const refused = refusedBlocks(() => 5);
    refused.posted('one', 2);
    refused.posted('two', 1);
    expect(refused.firstVariant()).toBe(0);
    refused.posted('three', 2);
    expect(refused.firstVariant()).toBe(2);
  });

  it('are not recorded if an answer was posted in full, or only as text', () => {
    const refused = refusedBlocks(() => 5);
    for (const answer of ['one', 'two', 'three']) {
      refused.posted(answer, 0);
      refused.posted(answer, 3);
    }
    expect(refused.firstVariant()).toBe(0);
  });
});
