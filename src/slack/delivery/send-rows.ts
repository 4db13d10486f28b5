import type { WebClient } from '@slack/web-api';
import type { LearningLinks } from '../../catalogue/learning-link.js';
import { FileNotShared, retryWrite } from '../../posts/post.js';
import type { ReportResult } from '../../runner/run-report.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import type { Channels } from '../directory/channels.js';
import { rowsSentDirectlyMessage } from '../messages/notices.js';
import { rowsVariants } from '../messages/rows.js';
import type { Conversation } from '../request-context.js';
import { notifyAsker } from './notify-asker.js';
import { AccessChanged, AnswerNotPosted, deliver, EndedElsewhere } from './post-message.js';
import type { RefusedBlocks } from './refused-blocks.js';

/** Rows that follow a summary. */
interface RowsToSend {
  readonly requestId: string;
  /** The ID of the rows in the ledger. */
  readonly post: string;
  readonly asker: string;
  /** The posted summary. */
  readonly conversation: Conversation;
  /** The command of the answer. */
  readonly command: string;
  /** Asked before each try. */
  readonly isStillAllowed: () => Promise<boolean>;
}

interface SendRowsParts {
  readonly store: Pick<Store, 'ledger'>;
  readonly client: WebClient;
  readonly channels: Pick<Channels, 'directWith'>;
  readonly clock: Clock;
  readonly learningLinks: LearningLinks;
  readonly refused: RefusedBlocks;
}

/**
 * Sends the rows of an answer to the asker's direct messages, because its conversation may not get them, and says so
 * there.
 *
 * @throws AnswerNotPosted; AccessChanged; EndedElsewhere; FileNotShared if nobody can know whether they arrived
 */
export async function sendRows(
  result: ReportResult,
  { requestId, post, asker, conversation, command, isStillAllowed }: RowsToSend,
  { store: { ledger }, client, channels, clock, learningLinks: links, refused }: SendRowsParts,
): Promise<void> {
  const { rows } = result;
  if (!rows) return;
  const held = { id: post, worker: null };
  const variants = rowsVariants({ rows, links }, command, result, requestId);
  const channel = await channels.directWith(asker);
  if (!(await isStillAllowed())) throw new AccessChanged();
  if (!(await ledger.markPosting(held))) throw new EndedElsewhere();
  const { outcome } = await deliver(
    variants.slice(refused.firstVariant()),
    { kind: 'channel', channel },
    client,
    { isStillAllowed },
  );
  if (outcome.kind === 'not-posted') throw new AnswerNotPosted(outcome.code);
  if (outcome.kind === 'unknown') throw new FileNotShared(outcome.code, true);
  const message = { channel: outcome.channel, ts: outcome.ts };
  await retryWrite(() => ledger.markPosted(held, { message, fileFollows: false }, clock.now()));
  await notifyAsker(rowsSentDirectlyMessage(conversation), asker, conversation, client, true);
}
