import { parseCommand } from '../../../src/requests/parse-command.js';
import { parseRangeWords } from '../../../src/requests/range-words.js';
import type { ReportRequest } from '../../../src/requests/request.js';
import type { KnownNames } from '../../../src/requests/sentences/known-names.js';
import type { SentenceContext } from '../../../src/requests/sentences/read-sentence.js';

const byMember = {
  departments: ['Sales', 'HR', 'Engineering', 'Support', 'Marketing', 'Finance', 'Field Operations'],
  locations: ['Berlin', 'London', 'New York', 'Lisbon'],
  teams: ['North', 'South', 'Platform', 'Key Accounts'],
  groups: ['New Hires', 'Night Shift'],
  role: ['Learner', 'Author'],
  grades: ['Senior', 'Junior'],
  partner: ['Acme'],
  entity_type: ['Video', 'Article'],
};

const byOption = {
  content: [
    'GDPR basics',
    'Fire Safety',
    'Code of Conduct',
    'Phishing Awareness',
    'Excel for Beginners',
    'First Aid at Work',
  ],
  track: ['Sales Onboarding', 'Leadership Essentials', 'Manager Fundamentals'],
  assessment: ['Product Knowledge Check', 'Safety Quiz', 'Security Quiz'],
  workshop: ['Presentation Skills', 'Negotiation Lab', 'First Aid Practice'],
} as const;

export const knownNames: KnownNames = {
  values: Object.entries(byMember).flatMap(([member, entries]) =>
    entries.map((entry) => ({ member, entry })),
  ),
  titles: (['content', 'track', 'assessment', 'workshop'] as const).flatMap((option) =>
    byOption[option].map((title) => ({ option, title })),
  ),
};

/** Wednesday, 18 November 2026, 11:00 in Berlin. */
export const world: SentenceContext = {
  known: knownNames,
  savedNames: ['Weekly views', 'Compliance status'],
  now: Date.parse('2026-11-18T10:00:00Z'),
  zone: 'Europe/Berlin',
  weekStart: 'monday',
};

export function requestOf(command: string): ReportRequest {
  const parsed = parseCommand(command, world);
  if (!parsed.ok || parsed.value.kind !== 'run') throw new Error(`Not a command: ${command}`);
  return parsed.value.request;
}

/** `2026-Q1..2026-Q2` and `2026-01..2026-06` mean the same days. A month begins with its first day. */
function rangeMeaning(words: string): unknown {
  const parsed = parseRangeWords(words);
  if (!parsed.ok || !('first' in parsed.value.meaning)) return words;
  const { meaning } = parsed.value;
  return meaning.kind === 'since' ? { ...meaning, unit: undefined } : meaning;
}

/** What a command means, without how it is spelled. */
export function meaning(text: string): string {
  const parsed = parseCommand(text, world);
  if (!parsed.ok) return `not a command: ${text}`;
  const command = parsed.value;
  if (command.kind === 'saved') {
    const { onTop, name } = command;
    return JSON.stringify([name, onTop.text.slice(onTop.from).trim().split(' ').sort()]);
  }
  if (command.kind === 'schedule' && 'name' in command.what) {
    const { onTop, name } = command.what;
    const { cadence, zone } = command;
    return JSON.stringify([name, onTop.text.slice(onTop.from, onTop.until).trim(), cadence, zone]);
  }
  return JSON.stringify({ ...command, cadenceTyped: undefined }, (name, value) =>
    name === 'range' && typeof value === 'string' ? rangeMeaning(value) : value,
  );
}
