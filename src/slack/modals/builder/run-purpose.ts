import { responseUrl } from '../../delivery/response-url.js';
import type { ListenerParts } from '../../listeners/context.js';
import { type ArrivingAsk, takeAsk } from '../../take-ask.js';
import { settledBy } from '../deadline.js';
import { inputNames } from './input-names.js';
import { type Problem, problemsWith } from './problem.js';
import { problemsNow } from './problems-now.js';
import type { BuilderPurpose, Submitted } from './purpose.js';
import { whereInputs } from './where-inputs.js';

/** Runs the request, as if it had been typed. */
export const runPurpose: BuilderPurpose = {
  name: 'run',
  label: 'Run it now',
  title: 'Run a report',
  submit: 'Run',
  inputs: whereInputs,
  async finish(submitted, parts) {
    const { draft, request, asker } = submitted;
    const problems = [
      ...problemsNow(draft.state, request, asker, parts.clock.now(), parts.weekStart),
      ...(await channelProblems(submitted, parts)),
    ];
    if (problems.length > 0) return { problems };
    return {
      async commit() {
        await takeAsk(await arriving(submitted, parts), parts);
        return [];
      },
    };
  },
};

/** Why a chosen channel cannot get the answer, with the way out. */
export async function channelProblems(
  { draft: { state }, deadline }: Submitted,
  { channels }: Pick<ListenerParts, 'channels'>,
): Promise<readonly Problem[]> {
  if (state.where !== 'channel') return [];
  if (state.channel === undefined) return problemsWith(inputNames.channel, 'Choose a channel.').problems;
  const facts = await settledBy(deadline.lookUpBy, channels.find(state.channel, { fresh: true }));
  if (facts?.known && facts.isMember && !facts.isArchived) return [];
  const sentence =
    !facts || (!facts.known && facts.passing)
      ? 'Slack could not tell me about that channel just now. Try again.'
      : facts.known && facts.isArchived
        ? 'That channel is archived. Choose another one.'
        : 'I am not a member of that channel. Type /invite @Rollcall there, then try again; or choose another one.';
  return problemsWith(inputNames.channel, sentence).problems;
}

async function arriving({ draft, request, asker }: Submitted, parts: ListenerParts): Promise<ArrivingAsk> {
  const { state, here } = draft;
  const common = { request, asker: asker.id };
  if (state.where === 'channel' && state.channel !== undefined) return { ...common, channel: state.channel };
  if (!here) return { ...common, channel: await parts.channels.directWith(asker.id) };
  const { channel, thread, answerUrl, at } = here;
  return {
    ...common,
    channel,
    ...(thread === undefined ? {} : { thread }),
    ...(answerUrl === undefined
      ? {}
      : { responseUrl: responseUrl(answerUrl, parts.send, parts.clock.now() - at) }),
  };
}
