import { commandRoutes } from './dispatch-command.js';
import { accessRoutes } from './listeners/actions/access.js';
import { answerRoutes } from './listeners/actions/answers.js';
import { approvalRoutes } from './listeners/actions/approvals.js';
import { auditRoutes } from './listeners/actions/audit.js';
import { builderRoutes } from './listeners/actions/builder.js';
import { notificationRoutes } from './listeners/actions/digest-notifications.js';
import { digestRoutes } from './listeners/actions/digests.js';
import { handOverRoutes } from './listeners/actions/hand-over.js';
import { savedRoutes } from './listeners/actions/saved-reports.js';
import { scheduleFormRoutes } from './listeners/actions/schedule-form.js';
import { eventRoutes } from './listeners/events.js';
import { suggestionRoutes } from './listeners/options.js';
import { purposeRoutes } from './listeners/submissions/purpose.js';
import { titleRoutes } from './listeners/title-options.js';
import type { Route } from './router.js';

/** All that Slack sends to the bot: one row each. A row stands below the code that handles it. */
export function allRoutes(): readonly Route[] {
  return [
    ...commandRoutes(),
    ...eventRoutes(),
    ...answerRoutes(),
    ...purposeRoutes(),
    ...builderRoutes(),
    ...savedRoutes(),
    ...scheduleFormRoutes(),
    ...digestRoutes(),
    ...notificationRoutes(),
    ...handOverRoutes(),
    ...approvalRoutes(),
    ...accessRoutes(),
    ...auditRoutes(),
    ...suggestionRoutes(),
    ...titleRoutes(),
  ];
}
