import { inputs } from '../../ids.js';
import { keepReport, nameTaken, nameTyped } from '../../saved/keep-report.js';
import { mayChange, maySee, whyNotKeptIn } from '../../saved/rights.js';
import { tellAsker } from '../../tell-asker.js';
import { savedMessage } from '../../views/saved-messages.js';
import { whereAsked } from '../../where-asked.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../parts.js';
import { judgedForm, refuse } from './judged-form.js';

/** Save under an answer: keeps what was asked, as it was asked, under a name. */
export function saveSubmission(parts: ListenerParts) {
  return judgedForm(parts, inputs.name, async ({ user, about: [askId = '', channel = ''], name: typed }) => {
    const checked = nameTyped(typed);
    if ('refused' in checked) return refuse(checked.refused);
    const ask = await parts.store.asks.find(askId);
    if (!ask) return refuse('I do not remember that report any more. Ask for it again.');
    const place = await whereAsked({ channel, asker: user }, parts);
    const reason = await whyNotKeptIn(place, parts);
    if (reason !== undefined) return refuse(reason);
    const kept = { channel, name: checked.name, request: ask.request };
    const made = await keepReport(kept, user, parts);
    if ('refused' in made) return refuse(made.refused);
    return { afterwards: () => tellAsker(savedMessage(made.saved), user, place, parts.client) };
  });
}

/** Rename: gives another name, unless somebody has changed the report since. */
export function renameSubmission(parts: ListenerParts) {
  return judgedForm(parts, inputs.name, async ({ user, about: [id = '', revision], name: typed }) => {
    const checked = nameTyped(typed);
    if ('refused' in checked) return refuse(checked.refused);
    const { name } = checked;
    const saved = await parts.store.savedReports.find(id);
    if (!saved) return refuse(problems.gone);
    if (!mayChange(saved, user, parts)) return refuse(problems.notTheirs);
    const now = parts.clock.now();
    const changed = await parts.store.savedReports.change(id, Number(revision), { name }, now);
    if (changed === 'changed') return { afterwards: async () => {} };
    if (changed === 'taken') return refuse(nameTaken(name));
    return refuse(problems[changed]);
  });
}

/** Duplicate: the same under a name in another channel, as whoever duplicates it. */
export function copySubmission(parts: ListenerParts) {
  return judgedForm(parts, inputs.name, async ({ user, about: [id = ''], name: typed, channel }) => {
    const checked = nameTyped(typed);
    if ('refused' in checked) return refuse(checked.refused);
    const saved = await parts.store.savedReports.find(id);
    const isThere = saved !== undefined && saved.deletedAt === undefined;
    if (!isThere || !(await maySee(saved.channel, user, parts))) return refuse(problems.gone);
    const reason = await whyNotCopiedTo(channel, user, parts);
    if (reason !== undefined) return { input: inputs.channel, problem: reason };
    const made = await keepReport({ channel, name: checked.name, request: saved.request }, user, parts);
    if ('refused' in made) return refuse(made.refused);
    const place = await whereAsked({ channel, asker: user }, parts);
    return { afterwards: () => tellAsker(savedMessage(made.saved), user, place, parts.client) };
  });
}

/** Hand over: gives it another owner, who may see where it is kept. */
export function handOverSavedSubmission(parts: ListenerParts) {
  return judgedForm(parts, inputs.owner, async ({ user, about: [id = '', revision], owner }) => {
    const saved = await parts.store.savedReports.find(id);
    if (!saved) return refuse(problems.gone);
    if (!mayChange(saved, user, parts)) return refuse(problems.notTheirs);
    if (saved.channel.startsWith('D')) {
      return refuse('It is kept in direct messages, so it cannot change hands. Duplicate it to a channel.');
    }
    const who = await whoAsks(owner, parts.people, parts.defaultZone);
    if ('refused' in who) return refuse('Only members of this workspace can own a report.');
    if (!(await maySee(saved.channel, owner, parts))) {
      return refuse('They cannot see the channel that keeps it. Invite them there first.');
    }
    const now = parts.clock.now();
    const changed = await parts.store.savedReports.change(id, Number(revision), { owner }, now);
    if (changed !== 'changed') return refuse(problems[changed === 'gone' ? 'gone' : 'stale']);
    return { afterwards: async () => parts.home.changed(owner) };
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
