import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import { within } from '../../builder/within.js';
import { inputs } from '../../ids.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../parts.js';

/** So long Slack may take over facts: a form has to be answered within three seconds. */
const patience = 2_000;
const mostRemembered = 1_000;

/** What is wrong, under the input that it is about; or what is to be done once the form has closed. */
export type Judged = Refused | { afterwards(): Promise<unknown> };

interface Refused {
  readonly problem: string;
  /** Absent: the form's own. */
  readonly input?: string;
}

/** What stands in a form. */
export interface SubmittedForm {
  readonly user: string;
  /** The words of its private metadata. */
  readonly about: readonly string[];
  readonly name: string;
  readonly channel: string;
  readonly owner: string;
}

export function refuse(problem: string): Refused {
  return { problem };
}

/**
 * Judges a form of a member in time, and does what follows from it once it has closed. A double click is one submission.
 *
 * @param input where a problem stands that is about no other input
 */
export function judgedForm(
  parts: ListenerParts,
  input: string,
  judge: (form: SubmittedForm) => Promise<Judged>,
) {
  const inHand = new Map<string, Promise<Judged>>();
  return async ({ ack, view, body }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs) => {
    const user = body.user.id;
    const first = inHand.get(view.id);
    if (inHand.size > mostRemembered) inHand.clear();
    const judging = first ?? inTime(user, parts, () => judge(formIn(view, user)));
    inHand.set(view.id, judging);
    const judged = await judging;
    if ('problem' in judged) {
      // The same form is submitted again once it is put right.
      inHand.delete(view.id);
      await ack({ response_action: 'errors', errors: { [judged.input ?? input]: judged.problem } });
      return;
    }
    await ack();
    if (first) return;
    await judged.afterwards();
    parts.home.changed(user);
  };
}

async function inTime(user: string, parts: ListenerParts, judge: () => Promise<Judged>): Promise<Judged> {
  const slow = refuse('Slack is slow to answer me just now. Try again.');
  try {
    return (await within(patience, judgeAsMember(user, parts, judge))) ?? slow;
  } catch (error) {
    parts.log.error({ err: error }, 'A form could not be judged');
    return refuse('Something of mine broke, and nothing was changed. Try again.');
  }
}

async function judgeAsMember(
  user: string,
  parts: ListenerParts,
  judge: () => Promise<Judged>,
): Promise<Judged> {
  const who = await whoAsks(user, parts.people, parts.defaultZone);
  return 'refused' in who ? refuse(who.refused) : judge();
}

function formIn(view: ViewSubmitAction['view'], user: string): SubmittedForm {
  const held = (name: string) => view.state.values[name]?.[name];
  return {
    user,
    about: view.private_metadata.split(' '),
    name: held(inputs.name)?.value ?? '',
    channel: held(inputs.channel)?.selected_conversation ?? '',
    owner: held(inputs.owner)?.selected_user ?? '',
  };
}
