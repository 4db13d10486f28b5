import { allLearnerFields, learnerEssentials, userFilter } from './learner.js';
import { type Field, fieldsOf, membersOf, personal, type Report, serviceDates, titled } from './report.js';

const completionFields: readonly Field[] = [
  ...fieldsOf('Completion', [
    ['content', 'Content', 'object', { about: 'content' }],
    ['track', 'Track', 'object', { about: 'track' }],
    ['journey', 'Journey', 'object', { about: 'journey' }],
    ['assignment', 'Assignment', 'object', personal],
    ['content_metadata', 'Content metadata', 'metadata'],
  ]),
  ...allLearnerFields,
];

/** The identifier in an object of a record, with the title beside it. */
const idOf = (field: string) => ({ field, member: 'id', title: 'title' });

const contentId = titled('content');

export const completions: Report = {
  name: 'completions',
  operation: 'content-completion',
  title: 'Completions',
  description: 'What people finished, and when',
  rowWords: ['completion', 'completions'],
  fields: completionFields,
  essentials: [...learnerEssentials, 'content', 'track', 'journey'],
  filters: [
    userFilter,
    {
      name: 'entity_filter',
      prefix: 'entity',
      label: 'Content',
      members: membersOf(
        [
          'entity_type',
          'Content type',
          'names',
          { common: true, sources: [{ field: 'content', member: 'type' }, { field: 'content_type' }] },
        ],
        [
          'entity_id',
          'Content ID',
          'identifiers',
          {
            common: true,
            sources: [idOf('content'), idOf('track'), idOf('journey'), contentId],
          },
        ],
      ),
    },
  ],
  states: [],
  titleFilters: [
    {
      option: 'content',
      object: 'entity_filter',
      member: 'entity_id',
      sources: [idOf('content'), contentId],
    },
    {
      option: 'track',
      object: 'entity_filter',
      member: 'entity_id',
      sources: [idOf('track')],
    },
  ],
  range: { defaultWords: 'last-week', hasFuture: false, isAdditive: true },
  dateField: { defaultFlag: 'completed_date', choices: serviceDates },
  sorts: [
    ...serviceDates.map((date) => date.flag),
    ...completionFields
      .filter(({ flag, kind }) => kind !== 'metadata' && kind !== 'object' && flag !== 'created_at')
      .map((field) => field.flag),
  ],
  examples: ['completions yesterday', 'completions last-4w departments:Sales by:content sort:updated_date'],
};
