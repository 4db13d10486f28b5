import { ok, refused } from '../../errors/failure.js';
import { formatPurpose } from '../../requests/purpose.js';
import {
  formFor,
  type PurposeMetadata,
  purposeActions,
  purposeMissing,
  type WaitingForPurpose,
} from '../answers/ask-purpose.js';
import { responseUrl } from '../context/request-context.js';
import { inputs, validPurpose, views } from '../forms/forms.js';
import { replierIn } from '../messages/notices.js';
import { dispatchCommand, parseInChannel } from './dispatch-command.js';
import { opens, type Route } from './router.js';
import { fromInput, submission, type ValidateForm } from './submission.js';

/** Goes on with the command or the press that waited for its purpose. */
const goOn: ValidateForm = async (form, parts, find) => {
  const purpose = fromInput(inputs.purpose, validPurpose(form.text(inputs.purpose)));
  if (!purpose.ok) return purpose;
  // Slack returns what `formFor` put there, and no one else can change it.
  const { what, channel, thread, url, at } = JSON.parse(form.view.private_metadata) as PurposeMetadata;
  const age = Math.max(0, parts.clock.now() - at);
  const context = {
    ...form.context,
    channel,
    thread,
    responseUrl: url === undefined ? undefined : responseUrl(url, parts.send, age),
  };
  return ok(async () => {
    if ('command' in what) {
      const typed = `${what.command} ${formatPurpose(purpose.value)}${what.after ?? ''}`;
      const command = await parseInChannel(typed, channel, parts);
      return dispatchCommand(command, { ...context, typed, asTyped: what.asTyped }, parts);
    }
    const route = find({ type: 'block_actions', actions: [{ action_id: what.press, value: what.value }] });
    const pressed = {
      actionId: what.press,
      value: what.value,
      context,
      isInConversation: true,
      onHome: false,
      form: undefined,
      message: what.message,
      pressedAt: 0,
      triggerId: '',
      purpose: purpose.value,
      reply: replierIn(context, parts),
    };
    await route?.run?.(pressed, parts);
  });
};

export const purposeRoutes = (): readonly Route[] => [
  opens(purposeActions.sayPurpose, 'member', 'What is it for?', async ({ value, context }, parts) => {
    const form = formFor(JSON.parse(value) as WaitingForPurpose, context, parts.clock.now());
    return form ? ok(form) : refused(purposeMissing);
  }),
  submission(views.purpose, 'member', goOn),
];
