import { type ReportName, reportNamed } from '../../catalogue/index.js';
import { meanings, meaningsForAll } from '../../figures/format/meanings.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { bullets, header, leaf } from './blocks.js';

/** What the figures of a report mean, for whoever asks. */
export function meaningsMessage(report: ReportName): OutgoingMessage {
  const title = `What the figures of ${reportNamed(report).title.toLowerCase()} mean`;
  const all = [...meanings[report], ...meaningsForAll];
  return {
    text: [title, ...all.map(({ term, sentence }) => `${term}: ${sentence}`)].join('\n'),
    blocks: [
      header(title),
      bullets(...all.map(({ term, sentence }) => [leaf(`${term}: `, { bold: true }), leaf(sentence)])),
    ],
  };
}
