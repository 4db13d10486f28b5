import type { ReportName } from '../catalogue/index.js';
import { ok, type Result, refused } from '../errors/failure.js';
import { type Problem, quoteTypedWord } from './problem.js';
import { parseRangeWords, rangeAt } from './range-words.js';
import { readTokens, type Token } from './tokens.js';
import { reportWord } from './vocabulary.js';

/** Which events of the record an admin wants to see. */
export interface AuditRequest {
  /** Absent: everything. */
  readonly about?: AuditSubject | undefined;
  /** A range in its canonical words; absent: everything that is stored. */
  readonly range?: string | undefined;
}

type AuditSubject =
  /** `typed`: the ID of a person or a channel, an e-mail address, or a name without its `@` or `#`. */
  | { readonly kind: 'person' | 'channel'; readonly typed: string }
  | { readonly kind: 'report'; readonly report: ReportName };

const userId = /^[UW][A-Z0-9]{6,30}$/;

/** Ranges follow the rules of this report: it has no future. */
export const reportForAuditRanges: ReportName = 'engagement';

/** Parses what follows `audit`: a person, a channel or a report, and a range, in any order. */
export function parseAudit(text: string, from: number): Result<AuditRequest, Problem> {
  const tokens = readTokens(text, from);
  let about: AuditSubject | undefined;
  let range: string | undefined;
  for (let index = 0; index < tokens.length; ) {
    const typed = rangeIn(tokens, index);
    const subject = typed ? undefined : subjectIn(tokens, index);
    if (typed) {
      const word = quoteTypedWord(typed.text);
      if (range !== undefined) return refused({ kind: 'two-ranges', other: quoteTypedWord(range), word });
      const parsed = parseRangeWords(typed.text);
      if (!parsed.ok) {
        return refused({ kind: 'range', reason: parsed.refusal, report: reportForAuditRanges, word });
      }
      range = parsed.value.words;
    } else if (subject && !about) {
      about = subject.about;
    } else {
      const word = quoteTypedWord(text.slice(tokens[index]?.start, tokens[index]?.end));
      return refused({ kind: 'audit-form', word });
    }
    index += typed?.tokens ?? subject?.tokens ?? 1;
  }
  return ok({ about, range });
}

/** The range that begins here, and how many tokens it has. */
function rangeIn(tokens: readonly Token[], index: number) {
  const token = tokens[index];
  if (token?.kind === 'option' && token.name.toLowerCase() === 'since') {
    return { text: `since:${token.entries.map(({ text }) => text).join(',')}`, tokens: 1 };
  }
  return rangeAt(tokens, index);
}

function subjectIn(
  tokens: readonly Token[],
  index: number,
): { readonly about: AuditSubject; readonly tokens: number } | undefined {
  const token = tokens[index];
  if (token?.kind !== 'word') return undefined;
  const { text } = token;
  const named = (kind: 'person' | 'channel', typed: string, tokens = 1) => ({
    about: { kind, typed },
    tokens,
  });
  if (text.startsWith('@') && text.length > 1) {
    const words = [text.slice(1)];
    // A name can have blanks: what follows belongs to it, up to a range.
    const isName = !userId.test(text.slice(1));
    for (let next = index + 1; isName && next < tokens.length; next += 1) {
      const word = tokens[next];
      if (word?.kind !== 'word' || /^[@#]/.test(word.text) || rangeIn(tokens, next)) break;
      words.push(word.text);
    }
    return named('person', words.join(' '), words.length);
  }
  if (/^[^@\s]+@[^@\s]+$/.test(text) || userId.test(text)) return named('person', text);
  if (/^#./.test(text)) return named('channel', text.slice(1));
  if (/^[CG][A-Z0-9]{6,30}$/.test(text)) return named('channel', text);
  const report = reportWord(text);
  return report && { about: { kind: 'report', report }, tokens: 1 };
}
