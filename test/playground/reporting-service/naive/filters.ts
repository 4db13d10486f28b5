import { find, isAuthor, isCollaborator, isManager, isSuspended } from './people.js';
import { type NaiveRow, sameText, type Tables } from './tables.js';

/** True if a row matches one member of a filter object. */
export function passes(
  t: Tables,
  row: NaiveRow,
  object: string,
  member: string,
  said: string,
  now: number,
): boolean {
  const entries = said
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const any = (matches: (entry: string) => boolean) => entries.some(matches);
  const text = (value: string | null | undefined) => any((entry) => sameText(entry, value ?? '\0'));
  const exactly = (value: string | null | undefined) => any((entry) => entry === value);
  const truth = (value: boolean) => any((entry) => entry.toLowerCase() === String(value));
  const personIs = (id: number | null | undefined) => {
    const person = find(t.people, id);
    return any((entry) => entry === person?.public_id || entry === person?.userid);
  };
  const { learner, content, assignment } = row;

  if (object === 'user_filter' && learner) {
    switch (member) {
      case 'email':
      case 'first_name':
      case 'last_name':
      case 'role':
        return text(learner[member]);
      case 'manager_email':
        return text(find(t.people, learner.manager)?.email);
      case 'buddy_email':
        return text(find(t.people, learner.buddy)?.email);
      case 'userid':
        return exactly(learner.userid);
      case 'id':
        return personIs(learner.id);
      case 'suspended':
        return truth(isSuspended(learner, now));
      case 'is_manager':
        return truth(isManager(t, learner));
      case 'is_author':
        return truth(isAuthor(t, learner));
      case 'is_collaborator':
        return truth(isCollaborator(t, learner));
      case 'is_purchaser':
        return truth(learner.is_purchaser === 1);
      default:
        return t.unitsOfPeople.some(
          ({ of, unit }) => of === learner.id && unit.member === member && text(unit.name),
        );
    }
  }
  if (object === 'assignment_filter') {
    if (member === 'assigner_id') return personIs(assignment?.assigner);
    return exactly(member === 'content_id' ? content?.public_id : assignment?.public_id);
  }
  if (object === 'entity_filter')
    return member === 'entity_id' ? exactly(content?.public_id) : text(content?.type);
  switch (member) {
    case 'content_id':
      return exactly(content?.public_id);
    case 'archived':
      return truth(content?.archived === 1);
    case 'created_by':
      return personIs(content?.created_by);
    case 'collaborators':
      return t.collaborators.some((each) => each.content === content?.id && personIs(each.person));
    default:
      return t.unitsOfContents.some(
        ({ of, unit }) => of === content?.id && unit.member === member && text(unit.name),
      );
  }
}
