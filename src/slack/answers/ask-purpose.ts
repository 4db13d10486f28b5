import type { WebClient } from '@slack/web-api';
import { formatRequest } from '../../requests/parse-request.js';
import type { ReportRequest } from '../../requests/request.js';

import type { RequestContext } from '../context/request-context.js';
import { slackErrorCode } from '../delivery/clients.js';
import { purposeForm } from '../forms/forms.js';
import { button, limits } from '../messages/blocks.js';
import { notice, type Reply, replierIn } from '../messages/notices.js';
import type { SendParts } from './answer-run.js';

export const purposeActions = {
  /** Opens the form that asks what something is for. Its value is what waits for it, as JSON. */
  sayPurpose: 'say_purpose',
} as const;

/** What is done once its purpose is given. */
export type WaitingForPurpose =
  /** A command, whose words continue after the purpose with `after`. */
  | { readonly command: string; readonly after?: string | undefined; readonly asTyped?: true | undefined }
  /** The press of a button. */
  | {
      readonly press: string;
      readonly value: string;
      readonly message?: { readonly ts: string; readonly thread?: string | undefined } | undefined;
    };

/** In the private metadata of the form. */
export interface PurposeMetadata {
  readonly what: WaitingForPurpose;
  readonly channel: string;
  readonly thread?: string | undefined;
  /** The response URL, with the time at which it was opened, in milliseconds since the epoch. */
  readonly url?: string | undefined;
  readonly at: number;
}

export interface AskPurposeParts extends SendParts {
  /** For modals, whose triggers expire after three seconds. Absent: a button offers the form. */
  readonly interactive?: WebClient | undefined;
}

const sentence = 'Say what this is for. The record of access keeps it.';
/** For commands that are too long for a form. */
export const purposeMissing = 'Say what this is for: add purpose:"…" to the command.';

/** Asks what something is for: with a form where Slack gave a trigger for one, else with a button to it. */
export async function askForPurpose(
  what: WaitingForPurpose,
  context: RequestContext,
  parts: AskPurposeParts,
): Promise<void> {
  const view = formFor(what, context, parts.clock.now());
  if (context.triggerId !== undefined && parts.interactive && view) {
    try {
      await parts.interactive.views.open({ trigger_id: context.triggerId, view });
      return;
    } catch (error) {
      parts.log.warn({ code: slackErrorCode(error) }, 'A form could not be opened');
    }
  }
  await replierIn(context, parts)(offer(what));
}

/** The form; undefined where its command is too long for one. */
export function formFor(what: WaitingForPurpose, context: RequestContext, at: number) {
  const { channel, thread, responseAddress: url } = context;
  const metadata = JSON.stringify({ what, channel, thread, url, at } satisfies PurposeMetadata);
  return metadata.length > maxMetadataLength ? undefined : purposeForm(metadata);
}

/** Slack's limit for private metadata. */
const maxMetadataLength = 3000;

function offer(what: WaitingForPurpose): Reply {
  const value = JSON.stringify(what);
  if (value.length > limits.buttonValueCharacters) return purposeMissing;
  return notice(sentence, button(purposeActions.sayPurpose, 'Say what it is for', value, 'primary'));
}

/** The words that make a request again, to add a purpose to. */
export function commandToRepeat(
  request: ReportRequest,
  { typed, asTyped }: Pick<RequestContext, 'typed' | 'asTyped'>,
): WaitingForPurpose {
  return { command: typed ?? formatRequest(request), asTyped: asTyped === true ? true : undefined };
}
