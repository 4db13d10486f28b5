import { validateMessage } from '../validator/validate.js';
import type { Thing } from '../workspace/records.js';
import { optionalList, optionalText } from './arguments.js';
import { brokenRules, Refusal } from './refusal.js';

/** What a message says. */
export interface Content {
  readonly text: string;
  readonly blocks: readonly Thing[];
  readonly attachments: readonly Thing[];
  readonly warning?: string;
}

const longestText = 40_000;

/** Reads and checks the content of a message as `chat.*` and `response_url` take it. */
export function readContent(args: Thing): Content {
  const blocks = optionalList(args, 'blocks', 'invalid_blocks_format');
  const attachments = optionalList(args, 'attachments', 'invalid_attachments') ?? [];
  const markdown = optionalText(args, 'markdown_text');
  const text = optionalText(args, 'text');
  if (markdown !== undefined && (text !== undefined || blocks !== undefined))
    throw new Refusal('markdown_text_conflict');
  if (markdown !== undefined && markdown.length > 12_000) throw new Refusal('msg_too_long');
  const said = text ?? markdown ?? '';
  if (said.trim() === '' && (blocks ?? []).length === 0 && attachments.length === 0)
    throw new Refusal('no_text');
  refuseBroken(blocks, attachments);
  return {
    text: said.slice(0, longestText),
    blocks: blocks ?? [],
    attachments,
    ...(said.length > longestText && { warning: 'message_truncated' }),
  };
}

function refuseBroken(blocks: readonly Thing[] | undefined, attachments: readonly Thing[]) {
  const rules = validateMessage({ blocks: blocks ?? [], attachments });
  const [first] = rules;
  if (!first) return;
  if (rules.every((rule) => rule.code === 'msg_blocks_too_long'))
    throw brokenRules('msg_blocks_too_long', rules);
  if (rules.some((rule) => rule.code === 'too_many_attachments'))
    throw brokenRules('too_many_attachments', rules);
  // Slack draws a table below the other blocks, and speaks of a second one as of a second attachment.
  if (rules.some((rule) => rule.code === 'only_one_table_allowed'))
    throw new Refusal(
      'invalid_attachments',
      { response_metadata: { messages: ['[ERROR] only_one_table_allowed'] } },
      rules,
    );
  throw brokenRules('invalid_blocks', rules);
}
