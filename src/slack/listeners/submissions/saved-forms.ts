import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import { within } from '../../builder/within.js';
import { inputs } from '../../ids.js';
import { keepReport, nameTaken, nameTyped } from '../../saved/keep-report.js';
import { mayChange, maySee, whyNotKeptIn } from '../../saved/rights.js';
import { tellAsker } from '../../tell-asker.js';
import { savedMessage } from '../../views/saved-messages.js';
import { whereAsked } from '../../where-asked.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../parts.js';

/** So long Slack may take over facts: a form has to be answered within three seconds. */
const patience = 2_000;

/** What is wrong, under the input that it is about; or what is to be done once the form has closed. */
type Judged = { readonly input: string; readonly problem: string } | { afterwards(): Promise<unknown> };

interface Form {
  readonly user: string;
  /** The words of its private metadata. */
  readonly about: readonly string[];
  readonly name: string;
  readonly channel: string;
}

/** Save under an answer: keeps what was asked, as it was asked, under a name. */
export function saveSubmission(parts: ListenerParts) {
  return onForm(parts, async ({ user, about: [askId = '', channel = ''], name: typed }) => {
    const checked = nameTyped(typed);
    if ('refused' in checked) return nameProblem(checked.refused);
    const ask = await parts.store.asks.find(askId);
    if (!ask) return nameProblem('I do not remember that report any more. Ask for it again.');
    const place = await whereAsked({ channel, asker: user }, parts);
    const reason = await whyNotKeptIn(place, parts);
    if (reason !== undefined) return nameProblem(reason);
    const kept = { channel, name: checked.name, request: ask.request };
    const made = await keepReport(kept, user, parts);
    if ('refused' in made) return nameProblem(made.refused);
    return { afterwards: () => tellAsker(savedMessage(made.saved), user, place, parts.client) };
  });
}

/** Rename: gives another name, unless somebody has changed the report since. */
export function renameSubmission(parts: ListenerParts) {
  return onForm(parts, async ({ user, about: [id = '', revision], name: typed }) => {
    const checked = nameTyped(typed);
    if ('refused' in checked) return nameProblem(checked.refused);
    const { name } = checked;
    const saved = await parts.store.savedReports.find(id);
    if (!saved) return nameProblem(problems.gone);
    if (!mayChange(saved, user, parts)) return nameProblem(problems.notTheirs);
    const now = parts.clock.now();
    const changed = await parts.store.savedReports.change(id, Number(revision), { name }, now);
    if (changed === 'changed') return { afterwards: async () => {} };
    if (changed === 'taken') return nameProblem(nameTaken(name));
    return nameProblem(problems[changed]);
  });
}

/** Duplicate: the same under a name in another channel, as whoever duplicates it. */
export function copySubmission(parts: ListenerParts) {
  return onForm(parts, async ({ user, about: [id = ''], name: typed, channel }) => {
    const checked = nameTyped(typed);
    if ('refused' in checked) return nameProblem(checked.refused);
    const saved = await parts.store.savedReports.find(id);
    const isThere = saved !== undefined && saved.deletedAt === undefined;
    if (!isThere || !(await maySee(saved.channel, user, parts))) return nameProblem(problems.gone);
    const reason = await whyNotCopiedTo(channel, user, parts);
    if (reason !== undefined) return { input: inputs.channel, problem: reason };
    const made = await keepReport({ channel, name: checked.name, request: saved.request }, user, parts);
    if ('refused' in made) return nameProblem(made.refused);
    const place = await whereAsked({ channel, asker: user }, parts);
    return { afterwards: () => tellAsker(savedMessage(made.saved), user, place, parts.client) };
  });
}

const problems = {
  gone: 'That saved report is not there any more.',
  stale: 'Somebody has changed this report since you opened it. Close this form and look again.',
  notTheirs: 'Only the person who made it, its owner and admins can change this one.',
} as const;

async function whyNotCopiedTo(
  channel: string,
  user: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  const facts = await parts.channels.find(channel, { fresh: true });
  if (!facts.known && facts.passing) return 'Slack could not tell me about that channel just now. Try again.';
  if (!facts.known || !facts.isMember) {
    return 'I am not a member there. Type /invite @Rollcall in that channel first, or choose another one.';
  }
  if (facts.isArchived) return 'That channel is archived. Choose another one.';
  return (await maySee(channel, user, parts)) ? undefined : 'You are not a member of that channel.';
}

function nameProblem(problem: string): Judged {
  return { input: inputs.name, problem };
}

/** Judges a form in time, and does what follows from it once it has closed. A double click is one submission. */
function onForm(parts: ListenerParts, judge: (form: Form) => Promise<Judged>) {
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
      await ack({ response_action: 'errors', errors: { [judged.input]: judged.problem } });
      return;
    }
    await ack();
    if (first) return;
    await judged.afterwards();
    parts.home.changed(user);
  };
}

async function inTime(user: string, parts: ListenerParts, judge: () => Promise<Judged>): Promise<Judged> {
  const slow = nameProblem('Slack is slow to answer me just now. Try again.');
  try {
    return (await within(patience, judgeAsMember(user, parts, judge))) ?? slow;
  } catch (error) {
    parts.log.error({ err: error }, 'A form could not be judged');
    return nameProblem('Something of mine broke, and nothing was changed. Try again.');
  }
}

function formIn(view: ViewSubmitAction['view'], user: string): Form {
  const held = (name: string) => view.state.values[name]?.[name];
  return {
    user,
    about: view.private_metadata.split(' '),
    name: held(inputs.name)?.value ?? '',
    channel: held(inputs.channel)?.selected_conversation ?? '',
  };
}

const mostRemembered = 1_000;
async function judgeAsMember(
  user: string,
  parts: ListenerParts,
  judge: () => Promise<Judged>,
): Promise<Judged> {
  const who = await whoAsks(user, parts.people, parts.defaultZone);
  return 'refused' in who ? nameProblem(who.refused) : judge();
}
