import type { Asker } from '../requests/request.js';
import type { People } from './directory/people.js';

/** Somebody who may ask, or one sentence on why not. */
export type WhoAsks = { readonly asker: Asker } | { readonly refused: string };

/**
 * Judges whether somebody may ask: members of this workspace may; guests and people from elsewhere may not, and
 * somebody whom Slack does not describe may not either, since nobody can tell what they are.
 *
 * @param defaultZone for those whose profile gives none
 */
export async function whoAsks(user: string, people: People, defaultZone: string): Promise<WhoAsks> {
  const person = await people.find(user);
  switch (person.standing) {
    case 'member':
      return {
        asker: {
          id: user,
          zone: person.zone ?? defaultZone,
          ...(person.email ? { email: person.email } : {}),
        },
      };
    case 'guest':
      return { refused: 'Guests cannot ask for reports. Ask a member of this workspace to do it for you.' };
    case 'outsider':
      return {
        refused: 'Only people of this workspace can ask for reports. Ask somebody here to do it for you.',
      };
    case 'unknown':
      return { refused: 'Slack could not tell me who you are just now. Try again in a minute.' };
    default:
      return { refused: 'Only people can ask for reports.' };
  }
}
