import { levelForReport } from '../../access/scope.js';
import { allReports, hasLearners } from '../../catalogue/index.js';
import { ok } from '../../errors/failure.js';
import { compact } from '../../requests/text.js';
import { accessActions, approvalRequestMessage, moreGuestsMessage } from '../access/access-page.js';
import type { ListenerParts } from '../answers/context.js';
import { type PlacedContext, type RequestContext, resolveConversation } from '../context/request-context.js';
import { sendMessage } from '../delivery/post-message.js';
import { maxAdminsToAsk } from '../directory/access.js';
import { form, purposeInput } from '../forms/forms.js';
import { textInput } from '../forms/inputs.js';
import { whomToAsk } from '../messages/access-levels.js';
import { section } from '../messages/blocks.js';
import { notice, noticeActions } from '../messages/notices.js';
import { type OnPress, opens, press, type Route } from './router.js';
import { readPurpose, rejectForm, submission, type ValidateForm } from './submission.js';

const keyInputs = {
  key: 'key',
} as const;

const keyViews = {
  releaseKey: 'release_key',
} as const;

/** Ask to allow it here: sends a direct message to each admin, once a day for a channel. */
const requestApproval: OnPress<PlacedContext> = async ({ context, reply }, parts) => {
  const { channel, conversation } = context;
  const { access } = parts;
  // The button may stand here since before something changed, and its value may be of any channel.
  const refusal = conversation.kind === 'member' ? unaskable[conversation.personLevel] : unaskable.never;
  if (refusal !== undefined) return reply(refusal);
  if (await seesTotalsOnly(context.asker, parts)) {
    const whom = whomToAsk(await access.adminNames(maxAdminsToAsk));
    const sentence = `Your access level allows no names, so allowing it here would change nothing for you. To change your level, ask ${whom}.`;
    return reply(sentence);
  }
  const admins = await access.admins();
  if (admins.length === 0) {
    return reply('The owners of this Slack workspace decide that. Ask one of them directly.');
  }
  const today = new Date(parts.clock.now()).toISOString().slice(0, 10);
  if (!(await parts.store.approvals.requestApproval(channel, context.asker, today))) {
    return reply('Somebody already asked for this channel today. Try again tomorrow.');
  }
  const readers = await parts.readersOf(channel);
  const message = approvalRequestMessage(channel, context.asker, readers);
  const sent = await Promise.allSettled(
    admins.map((admin) => sendMessage(message, { channel: admin }, parts.client)),
  );
  const reached = sent.some(({ status }) => status === 'fulfilled');
  await reply(
    reached ? 'Request sent to the admins.' : 'No admin could be reached. Ask one of them directly.',
  );
};

/** True for whoever gets no names in any channel: an approval changes nothing for them. */
async function seesTotalsOnly(asker: string, { access }: ListenerParts) {
  for (const { name: report } of allReports.filter(hasLearners)) {
    const level = levelForReport({ report }, await access.accessOf(asker, report));
    if (level !== 'totals' && level !== 'nothing') return false;
  }
  return true;
}

const unaskable = {
  allowed: 'Person-level data is allowed here already.',
  'not-approved': undefined,
  never: 'Person-level data is never allowed here: this channel is shared, or I am not in it.',
};

const allowRequested: OnPress = async ({ value, context, purpose }, parts) => {
  const [channel = '', requester = '', shown] = value.split(' ');
  const readers = await moreReaders(channel, shown, parts);
  if (readers) {
    const message = approvalRequestMessage(channel, requester, readers, true);
    return void (await context.responseUrl?.replaceOriginal(message));
  }
  await decide(channel, requester, () => approve(channel, context.asker, purpose, parts), context, parts);
};

/** Replaces a request for approval by its outcome, which the requester gets too. The first admin decides. */
async function decide(
  channel: string,
  requester: string,
  outcome: () => Promise<string>,
  { responseUrl }: RequestContext,
  parts: ListenerParts,
) {
  const { approvals } = parts.store;
  if (await approvals.decideRequest(channel)) {
    // It has a link to the channel.
    const message = { text: await outcome() };
    await responseUrl?.replaceOriginal(message);
    if (requester) await sendMessage(message, { channel: requester }, parts.client);
    return;
  }
  const approval = (await approvals.approvedChannels()).find(({ subject }) => subject === channel);
  const name = approval && (await parts.people.find(approval.by)).name;
  const line = name
    ? `${name} decided this already: person-level data is allowed there.`
    : 'Another admin decided this already. Type /report access in that channel to change it.';
  await responseUrl?.replaceOriginal(notice(line));
}

/** The readers, if there are more guests than `shown`, which is absent where they could not be counted. */
async function moreReaders(channel: string, shown: string | undefined, { readersOf }: ListenerParts) {
  if (!shown) return undefined;
  const readers = await readersOf(channel);
  return readers.guests !== undefined && readers.guests > Number(shown) ? readers : undefined;
}

const allowHere: OnPress = async ({ value, context, purpose, reply }, parts) => {
  const { channel } = context;
  const readers = await moreReaders(channel, value.split(' ')[1], parts);
  if (readers) return reply(moreGuestsMessage(channel, readers));
  await parts.store.approvals.decideRequest(channel);
  await reply({ text: await approve(channel, context.asker, purpose, parts) });
};

/** Approves a channel unless Slack says that it is shared with another organization. Returns the sentence to show. */
async function approve(channel: string, by: string, purpose: string | undefined, parts: ListenerParts) {
  const facts = await parts.channels.find(channel, true);
  if (!facts.known) return `I cannot see <#${channel}>, so it cannot be approved. Invite me first.`;
  if (facts.isShared) {
    return `<#${channel}> is shared with another organization, so person-level data is never allowed there.`;
  }
  await parts.store.approvals.approveChannel({ subject: channel, by, at: parts.clock.now(), purpose });
  return `Person-level data is now allowed in <#${channel}>.`;
}

/** Releases a key: a metadata field that may appear in any channel. */
const releaseKey: ValidateForm = async (form, parts) => {
  const subject = form.text(keyInputs.key).trim();
  // A field of type object, a full stop and a member.
  const [, flag] = /^([^.]+)\../.exec(subject) ?? [];
  if (flag === undefined)
    return rejectForm('Type a column, a full stop and a field inside it, as in user_metadata.cost_center.');
  if (!allReports.some(({ fields }) => fields.some((field) => field.flag === flag)))
    return rejectForm(`No report has a column ${flag.slice(0, 60)}.`);
  const purpose = readPurpose(form, parts);
  if (!purpose.ok) return purpose;
  const { store, clock } = parts;
  return ok(async () => {
    const at = clock.now();
    await store.approvals.releaseKey({ subject, by: form.asker.id, at, purpose: purpose.value });
  });
};

export const approvalRoutes = (): readonly Route[] => [
  press(noticeActions.requestApproval, 'conversation', requestApproval),
  press(accessActions.approve, 'admin', allowRequested, { asksPurpose: true }),
  press(accessActions.decline, 'admin', async ({ value, context }, parts) => {
    const [channel = '', requester = ''] = value.split(' ');
    const line = `An admin decided not to allow person-level data in <#${channel}> for now.`;
    await decide(channel, requester, async () => line, context, parts);
  }),
  press(accessActions.allowHere, 'admin', allowHere, { asksPurpose: true }),
  press(accessActions.revoke, 'admin', async ({ value: channel, context: { asker }, reply }, parts) => {
    const actor = { by: asker, at: parts.clock.now() };
    const wasApproved = await parts.store.approvals.withdrawChannel(channel, actor);
    const { personLevel } = await resolveConversation({ channel, asker }, parts, true);
    const done = wasApproved ? 'Your approval is withdrawn' : 'No admin has approved it';
    const ended = wasApproved ? 'no longer allowed' : 'not allowed';
    const text =
      personLevel === 'allowed'
        ? `Person-level data is still allowed in <#${channel}>. ${done}, but the operator's setting PERSON_LEVEL_CHANNELS allows it. Ask your operator to change that setting.`
        : `Person-level data is ${ended} in <#${channel}>.`;
    await reply({ text });
  }),
  opens(accessActions.releaseKey, 'admin', 'Allow a metadata field', async (_pressed, { asksPurpose }) => {
    const key = {
      label: 'Field',
      hint: 'Type the column, a full stop and the field inside it, as in user_metadata.cost_center',
    };
    const blocks = compact(
      section(
        'Fields inside metadata and nested objects, such as a cost center, stay out of channels that are not approved. A field that you allow may go to every channel.',
      ),
      textInput(keyInputs.key, key, undefined, { maxLength: 200 }),
      asksPurpose && purposeInput('What it is for'),
    );
    return ok(form(keyViews.releaseKey, '', 'Allow a metadata field', 'Allow', blocks));
  }),
  submission(keyViews.releaseKey, 'admin', releaseKey),
  press(accessActions.holdKeyBack, 'admin', async ({ value: key, context, reply }, { store, clock }) => {
    await store.approvals.withdrawKey(key, { by: context.asker, at: clock.now() });
    await reply(`${key} goes to approved channels only again.`);
  }),
];
