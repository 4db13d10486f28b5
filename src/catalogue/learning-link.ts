import { ok, type Result, refused } from '../errors/failure.js';
import type { TitleOption } from './report.js';

/** The kinds of things that have a title and an identifier. */
export const titledKinds: readonly TitleOption[] = ['content', 'track', 'assessment', 'workshop'];

/** One https address per kind. Each has its placeholder once, such as `{content_id}`. */
export type LearningLinks = Readonly<Partial<Record<TitleOption, string>>>;

/** Slack's limit for the address of a link, in characters. */
const maxLinkLength = 3_000;

/** Characters that end a link in Slack's markup, or that no address contains. */
const allowedInAddress = /^[^\s<>|"\\^`{}]+$/;

/**
 * The address of a thing that an identifier names, where its kind has one. Undefined too where the identifier would
 * lead elsewhere or makes the address too long.
 */
export function learningLink(links: LearningLinks, kind: TitleOption, id: string): string | undefined {
  const template = links[kind];
  // An address drops the segments `.` and `..`, encoded or not. Half of a surrogate pair cannot be encoded.
  if (template === undefined || /^\.{0,2}$/.test(id) || /\p{Surrogate}/u.test(id)) return undefined;
  const link = template.split(placeholderOf(kind)).join(encodeURIComponent(id));
  return link.length > maxLinkLength ? undefined : link;
}

/** Reads addresses with blanks between them. The refusal is the end of a sentence, and never quotes the text. */
export function parseLearningLinks(text: string): Result<LearningLinks> {
  const links: Partial<Record<TitleOption, string>> = {};
  for (const address of text.split(/\s+/).filter((word) => word !== '')) {
    const kind = kindOf(address);
    if (!kind.ok) return kind;
    if (links[kind.value] !== undefined) {
      return refused(`has two addresses with ${placeholderOf(kind.value)}: keep one`);
    }
    links[kind.value] = address;
  }
  return ok(links);
}

/** The kind of an address, by its only placeholder. */
function kindOf(address: string): Result<TitleOption> {
  const placeholders = address.match(/\{[^{}]*\}/g) ?? [];
  const kind = titledKinds.find((known) => placeholderOf(known) === placeholders[0]);
  if (!kind || placeholders.length > 1) {
    return refused(
      `has an address without exactly one of ${titledKinds.map(placeholderOf).join(', ')}: put one into each address`,
    );
  }
  const [start = '', end = ''] = address.split(placeholderOf(kind));
  if (!isHttpsPrefix(start) || !(end === '' || allowedInAddress.test(end))) {
    return refused(
      `has an address that is no link: begin it with https:// and a host, and put ${placeholderOf(kind)} after the host`,
    );
  }
  return ok(kind);
}

/** True for `https://host/…`: an identifier after it cannot change the host. */
function isHttpsPrefix(start: string): boolean {
  if (!/^https:\/\/[^/?#]+[/?#]/.test(start) || !allowedInAddress.test(start)) return false;
  if (!URL.canParse(start)) return false;
  const { username, password } = new URL(start);
  return username === '' && password === '';
}

function placeholderOf(kind: TitleOption): string {
  return `{${kind}_id}`;
}
