import type { AnyBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../../playground/slack/server/script/find.js';
import { validateMessage, validateView } from '../../../playground/slack/server/validator/validate.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { copyForm, renameForm, saveForm } from '../../../src/slack/forms/forms.js';
import { homeView } from '../../../src/slack/home/home.js';
import { type HomeFacts, maxHomeRows } from '../../../src/slack/home/home-facts.js';
import {
  deletedMessage,
  type ListContents,
  listMessagesOf,
  removedFieldsMessage,
  type SavedReader,
  savedBlocks,
  savedMessage,
  savedPageSize,
} from '../../../src/slack/messages/saved-reports.js';
import type { RequestLogEntry } from '../../../src/store/requests/request-log.js';
import type { SavedReport } from '../../../src/store/saved/saved-reports.js';
import { anyCharacter } from '../../any-character.js';
import { propertyRuns } from '../../property-runs.js';
import { anyRequest } from '../../requests/random-request.js';

const reader = (changes: Partial<SavedReader> = {}): SavedReader => ({
  user: 'U00ADA0001',
  zone: 'Europe/Berlin',
  seesPeople: true,
  mayChange: () => true,
  offeredTo: () => undefined,
  ...changes,
});

const saved = (changes: Partial<SavedReport> = {}): SavedReport => ({
  id: 'abcdefghjk',
  channel: 'C00LEARN01',
  name: 'Weekly',
  request: plainRequest('engagement'),
  owner: 'U00NOAH001',
  createdBy: 'U00NOAH001',
  revision: 1,
  createdAt: 1_795_000_000_000,
  changedAt: 1_795_000_000_000,
  ...changes,
});

interface ListFacts {
  readonly reports: readonly SavedReport[];
  readonly from: number;
  readonly more: boolean;
  readonly deleted?: SavedReport;
  readonly digests?: (contents: ListContents) => readonly AnyBlock[];
}

function savedListMessages({ reports, deleted, digests = () => [], ...page }: ListFacts, who: SavedReader) {
  const saved = { ...page, items: reports };
  return listMessagesOf(saved, (contents) => ({
    saved: savedBlocks(saved, who, (from) => `${from} ${contents}`, deleted),
    digests: digests(contents),
  }));
}

/** The list as one message. */
function savedListMessage(facts: ListFacts, who: SavedReader) {
  const [message] = savedListMessages(facts, who);
  return message;
}

const ask = (request: ReportRequest, changes: Partial<RequestLogEntry> = {}): RequestLogEntry => ({
  id: 'abcdefghjk',
  post: 'abcdefghjk',
  channel: 'C1',
  asker: 'U00ADA0001',
  request,
  requestedAt: 1_795_000_000_000,
  state: 'posted',
  rows: 412,
  message: { channel: 'C1', ts: '1.2', link: 'https://x.example/archives/C1/p12' },
  ...changes,
});

const emptyHome: HomeFacts = {
  dueItems: undefined,
  ranAt: undefined,
  mine: [],
  others: undefined,
  runs: [],
  digests: [],
  deleted: undefined,
  declined: [],
  record: {
    owner: { account: 'U1', addresses: [], wanted: [] },
    entries: [],
    next: undefined,
    namesFrom: undefined,
    names: new Map(),
  },
  overview: undefined,
  now: 1,
};

/** A name of sixty characters, of any kind that people type. */
const anyName = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }),
  fc.constantFrom('"'.repeat(60), '<@U1> *b* `c` :smile: http://x.example', '\u202e\u200b', '😀'.repeat(60)),
);

const anySaved = fc
  .record({ name: anyName, request: anyRequest, run: fc.boolean(), owned: fc.boolean() })
  .map(({ name, request, run, owned }) =>
    saved({
      name,
      request,
      ...(run ? { lastRun: { at: 1_795_000_000_000, by: 'W0123456789ABCDEFGHIJKLMNOPQRST' } } : {}),
      ...(owned ? { owner: 'forgotten', createdBy: 'W0123456789ABCDEFGHIJKLMNOPQRST' } : {}),
    }),
  );

describe('views of saved reports', () => {
  it('are valid at any length', () => {
    fc.assert(
      fc.property(
        fc.array(anySaved, { maxLength: savedPageSize, minLength: savedPageSize }),
        fc.boolean(),
        (reports, mayChange) => {
          const facts = { reports, from: 5, more: true, deleted: saved() };
          const message = savedListMessage(facts, reader({ mayChange: () => mayChange }));
          expect(validateMessage({ ...message })).toEqual([]);
          expect(JSON.stringify(message.blocks).length).toBeLessThan(12_000);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  it('become two messages if the digests do not fit into one', () => {
    const digest = {
      type: 'section' as const,
      text: { type: 'plain_text' as const, text: 'x'.repeat(1_000) },
    };
    const reports = Array.from({ length: savedPageSize }, () => saved());
    const facts = { reports, from: 0, more: true };
    const [only, none] = savedListMessages({ ...facts, digests: () => [digest] }, reader());
    expect(none).toBeUndefined();
    expect(JSON.stringify(only)).toContain('"value":"5 both"');
    const messages = savedListMessages(
      {
        ...facts,
        digests: (contents) => Array.from({ length: contents === 'both' ? 11 : 1 }, () => digest),
      },
      reader(),
    );
    expect(messages).toHaveLength(2);
    expect(JSON.stringify(messages[0])).toContain('"value":"5 saved"');
    expect(messages[1]?.blocks).toHaveLength(1);
    for (const message of messages) expect(validateMessage({ ...message })).toEqual([]);
  });

  it('are valid, each message and each form', () => {
    fc.assert(
      fc.property(anySaved, fc.boolean(), (one, mayEdit) => {
        const gone = [{ what: 'filter' as const, name: one.name.repeat(20) }];
        for (const message of [
          savedMessage(one),
          deletedMessage(one),
          removedFieldsMessage(one, gone, 'run', mayEdit),
        ]) {
          expect(validateMessage({ ...message })).toEqual([]);
        }
        for (const view of [saveForm('a', 'C1', one.name.repeat(50)), renameForm(one), copyForm(one)]) {
          expect(validateView(view)).toEqual([]);
        }
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('make a valid Home tab with all sections', () => {
    const many = fc.array(anySaved, { maxLength: maxHomeRows + 1, minLength: maxHomeRows + 1 });
    fc.assert(
      fc.property(many, many, fc.array(anyRequest, { maxLength: 10 }), (mine, others, requests) => {
        const runs = requests.map((request) => ask(request));
        const view = homeView(
          {
            ...emptyHome,
            dueItems: 'team-and-own',
            mine,
            others: [...others],
            runs,
            ranAt: 1,
            deleted: saved(),
          },
          reader(),
        );
        expect(validateView(view)).toEqual([]);
        expect(view.blocks.length).toBeLessThan(100);
      }),
      { numRuns: 30 },
    );
  });

  it('explain the first step if nothing is saved', () => {
    const list = savedListMessage({ reports: [], from: 0, more: false }, reader());
    expect(list.text).toContain('/report save');
    const home = homeView(emptyHome, reader());
    expect(wordsIn(home.blocks).join()).toMatch(/None yet.*Your channels could not be loaded.*None yet/);
  });

  it('show names and commands without mentions and formatting', () => {
    const name = '<!channel> *bold* <@U00NOAH001>';
    const list = savedListMessage({ reports: [saved({ name })], from: 0, more: false }, reader());
    expect(list.text).not.toMatch(/<[!@]/);
    expect(JSON.stringify(list.blocks)).not.toContain('"mrkdwn"');
  });

  it('offer only permitted changes, and never run stale reports', () => {
    const words = (one: SavedReport, who: SavedReader) =>
      JSON.stringify(savedListMessage({ reports: [one], from: 0, more: false }, who).blocks);
    const may = reader();
    const mayNot = reader({ mayChange: () => false });
    expect(words(saved(), may)).toMatch(/saved_run.*edit abc.*rename abc.*copy abc.*delete abc/);
    expect(words(saved(), mayNot)).toMatch(/saved_run.*copy abc/);
    expect(words(saved(), mayNot)).not.toMatch(/edit abc|rename abc|delete abc/);
    const stale = saved({ request: { ...plainRequest('engagement'), by: 'hat_size' } });
    expect(words(stale, may)).toMatch(/breakdown hat_size.*saved_edit/);
    expect(words(stale, may) + words(stale, mayNot)).not.toContain('saved_run');
    const old = saved({ request: { ...stale.request, report: 'certificates' } as unknown as ReportRequest });
    expect(words(old, may)).toMatch(/report certificates/);
  });

  it('hide people in filters from readers without permission, but show “me”', () => {
    const request: ReportRequest = {
      ...plainRequest('engagement'),
      filters: [
        { object: 'user_filter', member: 'manager_email', entries: ['me', 'a@x.example', 'b@x.example'] },
        { object: 'user_filter', member: 'departments', entries: ['Sales'] },
      ],
    };
    const shown = (who: SavedReader) =>
      wordsIn(savedListMessage({ reports: [saved({ request })], from: 0, more: false }, who).blocks).join();
    expect(shown(reader({ seesPeople: false }))).toContain('manager_email:me,… departments:Sales');
    expect(shown(reader({ seesPeople: false, user: 'U00NOAH001' }))).toContain('a@x.example');
    expect(shown(reader())).toContain('a@x.example');
  });
});
