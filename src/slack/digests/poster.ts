import { failureOf } from '../../digests/failure.js';
import { partsFor } from '../../logging/logger.js';
import type { DigestPoster } from '../../scheduler/ports.js';
import { sendMessage, updateMessage } from '../delivery/post-message.js';
import { notificationMessage } from '../messages/digest-notifications.js';
import { describeFailure } from '../messages/failures.js';
import { asSlackFailure, type DeliveryParts, deliveryOf, throwAsSlackFailure } from './deliver-run.js';
import type { ManagersParts } from './managers-facts.js';
import { deliverToManagers } from './managers-run.js';

export interface PosterParts extends DeliveryParts, ManagersParts {
  readonly store: DeliveryParts['store'] & ManagersParts['store'];
  /** Whether the app has the scope with which it joins channels. Absent: true. */
  readonly mayJoinChannels?: boolean;
}

export function digestPoster(parts: PosterParts): DigestPoster {
  const { client, people } = parts;
  return {
    deliver: (claimed, steps) => {
      const own = partsFor(claimed.run.id, parts);
      const isForManagers = claimed.digest.audience === 'managers';
      const sent = isForManagers
        ? deliverToManagers(claimed, steps, own)
        : deliveryOf(claimed, own).deliver(steps);
      return sent.catch(throwAsSlackFailure);
    },

    deliverFollowUp: (claimed, message) =>
      deliveryOf(claimed, partsFor(claimed.run.id, parts))
        .deliverFollowUp(message)
        .catch(throwAsSlackFailure),

    async describePerson(user) {
      const { zone, standing } = await people.find(user);
      return { zone, hasLeft: standing === 'gone' };
    },

    async sendNotification(recipient, content) {
      const message = notificationMessage(content, recipient, parts.mayJoinChannels);
      const posted = await sendMessage(message, { channel: recipient }, client).catch(throwAsSlackFailure);
      return posted.ts === '' ? undefined : posted;
    },

    async editNotification(message, recipient, content) {
      const edited = notificationMessage(content, recipient, parts.mayJoinChannels);
      await updateMessage(edited, message, client).catch(throwAsSlackFailure);
    },

    async isTokenAccepted() {
      try {
        await client.auth.test();
        return true;
      } catch (error) {
        // Any other error still means that Slack accepts the token.
        return failureOf(asSlackFailure(error)).kind === 'own';
      }
    },

    describeFailure: (error, run) => describeFailure(error, run).reason,
  };
}
