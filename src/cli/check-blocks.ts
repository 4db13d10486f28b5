import type { AnyBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { unlimitedScope } from '../access/scope.js';
import { slackErrorCode } from '../slack/delivery/clients.js';
import { chartBlock } from '../slack/messages/blocks.js';
import { firstHelpMessage } from '../slack/messages/help.js';
import { rowsVariants } from '../slack/messages/rows.js';
import { type Finding, fine, wrong } from './machine-checks.js';

const departments = ['Sales', 'Support', 'Legal'];

/** Each kind of block that Slack has had for a short time, and the usual ones. */
function sampleMessages(): readonly (readonly AnyBlock[])[] {
  const chart = chartBlock({
    title: 'Overdue by department',
    shape: 'bar',
    categories: departments,
    series: [{ name: 'Overdue', values: [24, 3, 1] }],
    inTable: false,
  });
  const listed = departments.map((text, n) => ({ cells: [{ text }, { text: `${n + 1}`, number: n + 1 }] }));
  const columns = [{ label: 'Department' }, { label: 'Days overdue' }];
  const rows = { columns, listed, total: listed.length };
  const [table] = rowsVariants({ rows, links: {} }, '/report overdue rows', { scope: unlimitedScope }, 'a');
  return [[...(firstHelpMessage().blocks ?? []), chart], table.blocks ?? []];
}

/** What Slack's own check says of the blocks of messages. It posts nothing. */
export async function checkBlocks(client: Pick<WebClient, 'blocks'>): Promise<Finding> {
  try {
    for (const blocks of sampleMessages()) {
      const { errors = [] } = await client.blocks.validate({ message: { blocks: [...blocks] } });
      const [first] = errors;
      if (first !== undefined) return refusedBlocks(`${first.code} at ${first.pointer}`);
    }
    return fine('Blocks', 'Slack accepts the blocks of messages, charts and tables.');
  } catch (error) {
    const code = slackErrorCode(error);
    if (/^invalid_(?:blocks|attachments)|^msg_blocks_too_long$/.test(code)) return refusedBlocks(code);
    return fine('Blocks', `Slack does not check them for this app (${code}).`);
  }
}

function refusedBlocks(why: string): Finding {
  return wrong(
    'Blocks',
    `Slack refuses a kind of block that messages have (${why}). They arrive with fewer blocks until you update Rollcall.`,
  );
}
