import { sixReports } from '../../../catalogue/index.js';
import { meaningsMessage } from '../../messages/meanings-message.js';
import type { ListenerParts } from '../context.js';
import { onPress } from './press.js';

/** What do these mean: the definitions behind a report's figures, for the presser alone. */
export function meaningsButton(parts: ListenerParts) {
  return onPress(parts, async ({ value, tell }) => {
    const report = sixReports.find(({ name }) => name === value);
    if (report) await tell(meaningsMessage(report.name));
  });
}
