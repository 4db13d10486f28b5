import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import { inputNames } from '../../../builder/input-names.js';
import type { Problem } from '../../../builder/problem.js';
import { requestOf } from '../../../builder/request-of.js';
import { tooOld } from '../../builder/draw-builder.js';
import { filledDraft } from '../../builder/filled-draft.js';
import { purposeOf } from '../../builder/purposes.js';
import { readInputs } from '../../builder/read-inputs.js';
import { within } from '../../builder/within.js';
import { messageView } from '../../views/builder/builder-view.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../parts.js';

/** So long Slack may take to say who it is: the form has to be answered within three seconds. */
const patience = 1_200;

const slackIsSlow = { refused: 'Slack could not tell me who you are just now. Try again.' };

type Answer = SlackViewMiddlewareArgs<ViewSubmitAction>;

/** The builder is submitted: what cannot be is said under its inputs; else the form closes and its purpose is done, once. */
export function builderSubmission(parts: ListenerParts) {
  return async ({ ack, view, body }: Answer & AllMiddlewareArgs) => {
    const { store, clock, people, defaultZone } = parts;
    const id = view.private_metadata;
    const user = body.user.id;
    const filledIn = readInputs(view.state.values);
    const draft = await store.builderDrafts.change(id, user, clock.now(), (before) =>
      filledDraft(before, filledIn),
    );
    if (draft === 'used') return ack();
    if (!draft) return ack({ response_action: 'update', view: messageView('Run a report', tooOld) });
    const refuse = (problems: readonly Problem[]) =>
      ack({ response_action: 'errors', errors: errorsOn(view, problems) });
    const who = (await within(patience, whoAsks(user, people, defaultZone))) ?? slackIsSlow;
    if ('refused' in who) return refuse([{ input: inputNames.report, sentence: who.refused }]);
    const made = requestOf(draft.state);
    if ('problems' in made) return refuse(made.problems);
    const { asker } = who;
    const finished = await purposeOf(draft).finish({ draft, request: made.request, asker }, parts);
    if ('problems' in finished) return refuse(finished.problems);
    const isFirst = await store.builderDrafts.use(id, user, clock.now());
    await ack();
    if (isFirst) await finished.afterwards();
  };
}

/** Each problem under its input; where the form has no such input, under the report, which is always there. */
function errorsOn(view: Answer['view'], problems: readonly Problem[]): Record<string, string> {
  const inputs = new Set(view.blocks.flatMap(({ type, block_id }) => (type === 'input' ? [block_id] : [])));
  return Object.fromEntries(
    problems.map(({ input, sentence }) => [inputs.has(input) ? input : inputNames.report, sentence]),
  );
}
