import { failureOf } from '../../digests/failure.js';
import type { DigestPoster, NotificationContent } from '../../scheduler/ports.js';
import { type OutgoingMessage, sendMessage, updateMessage } from '../delivery/post-message.js';
import {
  digestFailedMessage,
  fileFailedMessage,
  outageMessage,
  personErasedMessage,
  savedPersonErasedMessage,
  unconfirmedMessage,
  unreadableDigestMessage,
  withoutOwnerMessage,
} from '../messages/digest-notifications.js';
import { describeFailure } from '../messages/failures.js';
import { offerEndedMessage, wordsFor } from '../messages/offers.js';
import { asSlackFailure, type DeliveryParts, deliveryOf, throwAsSlackFailure } from './deliver-run.js';

export interface PosterParts extends DeliveryParts {
  /** Whether the app has the scope with which it joins channels. Absent: true. */
  readonly mayJoinChannels?: boolean;
}

export function digestPoster(parts: PosterParts): DigestPoster {
  const { client, people } = parts;
  return {
    deliver: (claimed, steps) => deliveryOf(claimed, parts).deliver(steps).catch(throwAsSlackFailure),

    deliverFollowUp: (claimed, message) =>
      deliveryOf(claimed, parts).deliverFollowUp(message).catch(throwAsSlackFailure),

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

function notificationMessage(
  content: NotificationContent,
  recipient: string,
  mayJoinChannels?: boolean,
): OutgoingMessage {
  switch (content.kind) {
    case 'unconfirmed':
      return unconfirmedMessage(content.deliveries);
    case 'failed':
      return digestFailedMessage(content.digest, content.run, recipient, mayJoinChannels);
    case 'file-failed':
      return fileFailedMessage(content.digest, content.run, recipient);
    case 'without-owner':
      return withoutOwnerMessage(content.digest, content.run, recipient);
    case 'unreadable':
      return unreadableDigestMessage(content.digest);
    case 'person-erased':
      return personErasedMessage(content.digest);
    case 'saved-person-erased':
      return savedPersonErasedMessage(content.saved);
    case 'offer-ended':
      return offerEndedMessage(wordsFor(content.digest));
    case 'saved-offer-ended':
      return offerEndedMessage(wordsFor(content.saved));
    case 'outage':
      return outageMessage(content.outage, content.isOver, content.zone);
  }
}
