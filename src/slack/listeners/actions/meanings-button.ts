import { sixReports } from '../../../reports/catalogue/index.js';
import { meaningsMessage } from '../../views/meanings-message.js';
import type { ListenerParts } from '../parts.js';
import { onPress } from './pressed.js';

/** What do these mean: the definitions behind a report's figures, for the presser alone. */
export function meaningsButton(parts: ListenerParts) {
  return onPress(parts, async ({ value, tell }) => {
    const report = sixReports.find(({ name }) => name === value);
    if (report) await tell(meaningsMessage(report.name));
  });
}
