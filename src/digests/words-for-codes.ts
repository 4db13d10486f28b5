/** What digests themselves know of why a run was left out or failed, or why one of them does not run. */
const words: Readonly<Record<string, string>> = {
  superseded: 'A later one took its place.',
  'by-hand': 'Somebody paused it.',
  deleted: 'It was deleted.',
  unreadable: 'I cannot make sense any more of what I kept of it.',
  'no-next-time': 'I cannot work out any more when it comes.',
  stopped: 'I was stopped in the middle of it.',
  interrupted: 'I was stopped in the middle of it.',
  'owner-left': 'Its owner has left this workspace.',
  'owner-erased': 'Its owner’s data was erased.',
  'owner-may-not-ask': 'Its owner may not ask for reports any more.',
  'owner-not-member': 'Its owner is not a member of the channel any more.',
  'owner-not-described': 'Slack could not tell me who its owner is.',
  'channel-not-described': 'Slack could not tell me about the channel.',
  'no-file': 'The report came without a file.',
};

/** What is kept of why something did not happen. */
export interface Why {
  readonly code: string;
  /** The sentences that were made of the error when it happened; absent where it was none. */
  readonly reason?: string;
}

/** Why something did not happen, in one or two sentences; undefined where no more is known than that it did not. */
export function wordsForWhy(code: string | undefined, reason: string | undefined): string | undefined {
  return reason ?? words[code ?? ''];
}
