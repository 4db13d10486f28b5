import { accessRoutes } from './access.js';
import { answerRoutes } from './answers.js';
import { approvalRoutes } from './approvals.js';
import { auditRoutes } from './audit-buttons.js';
import { builderRoutes } from './builder.js';
import { notificationRoutes } from './digest-notifications.js';
import { digestRoutes } from './digests.js';
import { commandRoutes } from './dispatch-command.js';
import { eventRoutes } from './events.js';
import { handOverRoutes } from './hand-over.js';
import { managerRoutes } from './managers.js';
import { suggestionRoutes } from './options.js';
import { purposeRoutes } from './purpose.js';
import { recordRoutes } from './record.js';
import type { Route } from './router.js';
import { savedRoutes } from './saved-reports.js';
import { scheduleFormRoutes } from './schedule-form.js';
import { scorecardFormRoutes } from './scorecard-forms.js';
import { scorecardRoutes } from './scorecards.js';
import { titleRoutes } from './title-options.js';

/** All that Slack sends to the bot: one row each. A row stands below the code that handles it. */
export function allRoutes(): readonly Route[] {
  return [
    ...commandRoutes(),
    ...eventRoutes(),
    ...answerRoutes(),
    ...purposeRoutes(),
    ...builderRoutes(),
    ...savedRoutes(),
    ...scorecardRoutes(),
    ...scorecardFormRoutes(),
    ...scheduleFormRoutes(),
    ...digestRoutes(),
    ...managerRoutes(),
    ...notificationRoutes(),
    ...handOverRoutes(),
    ...approvalRoutes(),
    ...accessRoutes(),
    ...auditRoutes(),
    ...recordRoutes(),
    ...suggestionRoutes(),
    ...titleRoutes(),
  ];
}
