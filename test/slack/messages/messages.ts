import { expect } from 'vitest';
import { adviseMessage, validateMessage } from '../../../playground/slack/server/validator/validate.js';
import type { OutgoingMessage } from '../../../src/slack/delivery/post-message.js';
import type { SummaryMessageInput } from '../../../src/slack/messages/summary.js';

export const asker = 'U0ASKER1';

export function inputOf(
  result: SummaryMessageInput['result'],
  more: Partial<SummaryMessageInput> = {},
): SummaryMessageInput {
  return {
    result,
    command: `/report ${result.request.view ?? result.request.report}`,
    askedBy: asker,
    remarks: [],
    isDirect: false,
    buttons: (['details', 'csv', 'xlsx', 'change', 'save', 'schedule'] as const).map((kind) => ({
      kind,
      value: 'ask-1',
    })),
    ...more,
  };
}

/** Checks rules for every message: Slack's limits, and no mention of anybody but the asker. */
export function expectGood(message: OutgoingMessage): void {
  const payload = { ...message } as Record<string, unknown>;
  expect(validateMessage(payload)).toEqual([]);
  expect(adviseMessage(payload)).toEqual([]);
  expect(JSON.stringify(message.blocks ?? []).length).toBeLessThanOrEqual(12_000);
  expect(message.text).not.toBe('');
  for (const text of [message.text, ...markedTexts(message.blocks)]) {
    expect(text.replaceAll(`<@${asker}>`, '')).not.toMatch(/[<>]/);
    expect(text).not.toMatch(/&(?!amp;|lt;|gt;)/);
  }
  expect(leavesOf(message.blocks)).not.toEqual(
    expect.arrayContaining(['user', 'usergroup', 'channel', 'broadcast', 'link', 'emoji']),
  );
  expect(stringsIn(message).join('')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
}

/** All texts in which Slack parses markup. */
export function markedTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(markedTexts);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'mrkdwn' && 'text' in value ? [String(value.text)] : [];
  return [...own, ...Object.values(value).flatMap(markedTexts)];
}

/** All strings in a value, without the line breaks that Rollcall adds. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.replaceAll('\n', '')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The types of everything inside. */
export function leavesOf(value: unknown): string[] {
  return objectsIn(value).flatMap((part) => ('type' in part ? [String(part.type)] : []));
}

/** Every object inside, the outer ones first. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(objectsIn)];
}
