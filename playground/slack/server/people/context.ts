import type { Delivery } from '../delivery/delivery.js';
import type { ResponseUrls } from '../delivery/response-urls.js';
import type { Api } from '../web-api/method.js';
import type { Channel, Person } from '../workspace/records.js';

/** What actions of people need. */
export interface PeopleContext {
  readonly api: Api;
  readonly delivery: Delivery;
  readonly responseUrls: ResponseUrls;
}

/** An action that is not possible, with a message for the person. */
export class NotAllowed extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'NotAllowed';
  }
}

export function findPerson({ api }: PeopleContext, id: string): Person {
  const person = api.workspace.people.get(id);
  if (!person) throw new NotAllowed(`There is no user with the ID ${id}.`);
  return person;
}

/** A channel that the person can see. Guests and external people see only the channels they are in. */
export function findVisibleChannel(context: PeopleContext, user: string, id: string): Channel {
  const channel = context.api.workspace.channels.get(id);
  if (!channel || !isVisibleTo(channel, findPerson(context, user)))
    throw new NotAllowed('There is no such channel.');
  return channel;
}

export function isVisibleTo(channel: Channel, person: Person): boolean {
  const insider = person.kind === 'member' || person.kind === 'admin' || person.kind === 'bot';
  return channel.members.has(person.id) || (insider && channel.kind === 'public');
}

/** A channel that the person can write in. */
export function findWritableChannel(context: PeopleContext, user: string, id: string): Channel {
  const channel = findVisibleChannel(context, user, id);
  if (channel.archived) throw new NotAllowed('This channel is archived.');
  if (!channel.members.has(user)) throw new NotAllowed('Join the channel first.');
  return channel;
}
