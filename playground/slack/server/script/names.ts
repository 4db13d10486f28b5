import type { Channel, Person } from '../workspace/records.js';
import { directMessage, type Workspace } from '../workspace/workspace.js';

/** A person by handle or identifier. */
export function personCalled(workspace: Workspace, name: string): Person {
  const found = [...workspace.people.values()].find((one) => one.id === name || one.handle === name);
  if (!found) throw new Error(`There is nobody called ${name}.`);
  return found;
}

/** A channel by `#name`, by identifier, or as `@handle`: that person's direct message with the bot. */
export function channelNamed(workspace: Workspace, name: string): Channel {
  if (name.startsWith('@'))
    return directMessage(workspace, personCalled(workspace, name.slice(1)).id, workspace.seed.bot.user);
  const found = [...workspace.channels.values()].find(
    (one) => one.id === name || (name.startsWith('#') && one.name === name.slice(1)),
  );
  if (!found) throw new Error(`There is no channel ${name}.`);
  return found;
}
