import { ok } from '../../../errors/result.js';
import { formatPurpose, maxPurposeLength, parsePurpose } from '../../../requests/purpose.js';
import type { PurposeMetadata } from '../../ask-purpose.js';
import { replyInContext } from '../../delivery/notify-asker.js';
import { responseUrl } from '../../delivery/response-url.js';
import { dispatchCommand, parseInChannel } from '../../dispatch-command.js';
import { inputs } from '../../ids.js';
import type { RequestContext } from '../../request-context.js';
import type { OnPress } from '../actions/button.js';
import type { ListenerParts } from '../context.js';
import { onSubmission, rejectForm, type SubmittedForm } from './submission.js';

/** The purpose in a form; a sentence where there is none, or a longer one than the record keeps. */
export function readPurpose({ input }: Pick<SubmittedForm, 'input'>) {
  const purpose = parsePurpose(input(inputs.purpose)?.value ?? '');
  if (purpose.ok) return purpose;
  return {
    ok: false,
    refusal:
      purpose.refusal === 'empty'
        ? 'Say what it is for, in words.'
        : `Use at most ${maxPurposeLength} characters.`,
  } as const;
}

/**
 * Goes on with the command or the press that waited for its purpose.
 *
 * @param presses what each button does, by its action
 */
export function purposeSubmission(parts: ListenerParts, presses: Readonly<Record<string, OnPress>>) {
  return onSubmission(parts, async (form) => {
    const purpose = readPurpose(form);
    if (!purpose.ok) return rejectForm(purpose.refusal, inputs.purpose);
    // Slack returns what `formFor` put there, and nobody else can change it.
    const { what, channel, thread, url, at } = JSON.parse(form.view.private_metadata) as PurposeMetadata;
    const age = Math.max(0, parts.clock.now() - at);
    const context: RequestContext = {
      asker: form.asker.id,
      channel,
      thread,
      responseUrl: url === undefined ? undefined : responseUrl(url, parts.send, age),
    };
    return ok(async () => {
      if ('command' in what) {
        const typed = `${what.command} ${formatPurpose(purpose.value)}${what.after ?? ''}`;
        const command = await parseInChannel(typed, channel, parts);
        await dispatchCommand(command, { ...context, typed, asTyped: what.asTyped }, parts);
        return [];
      }
      await presses[what.press]?.({
        actionId: what.press,
        value: what.value,
        context,
        onHome: false,
        message: what.message,
        triggerId: '',
        purpose: purpose.value,
        reply: async (message) => void (await replyInContext(message, context, parts)),
      });
      return [];
    });
  });
}
