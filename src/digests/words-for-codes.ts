import { wordsForSlack } from '../slack/words-for-slack.js';

/** What became of a digest, by the code that is kept of it. Each fits after a colon and ends with a full stop. */
const words: Readonly<Record<string, string>> = {
  'range-refused': 'its range does not exist any more, or not for this report. Edit it.',
  'asker-has-no-address': '“me” needs its owner’s e-mail address, and Slack does not give me one.',
  'range-too-long': 'its range is longer than the Reporting Service takes at once. Choose a shorter one.',
  'unknown-name': 'a name in its filters is not in the list of names any more. Edit it.',
  'question-refused':
    'the Reporting Service does not accept the question any more; a field or a filter of it may be gone.',
  'owner-not-member': 'its owner is not a member of the channel any more. Hand it over, or join the channel.',
  'owner-may-not-ask': 'its owner may not ask for reports any more. Hand it over.',
  'owner-left': 'its owner has left this workspace.',
  'owner-not-described': 'Slack could not tell me who its owner is.',
  'channel-not-described': 'Slack could not tell me about the channel.',
  unexpected: 'something went wrong on our side. The operator finds it in the log.',
  'service-unreachable': 'the Reporting Service cannot be reached.',
  'connection-lost': 'the connection to the Reporting Service broke.',
  'service-silent': 'the Reporting Service said nothing for too long.',
  'token-refused':
    'the Reporting Service refuses my token. The operator has to look at REPORTING_API_TOKEN and REPORTING_AUTH_SCHEME.',
  'no-such-report':
    'the Reporting Service is not at its address. The operator has to look at REPORTING_BASE_URL.',
  'service-redirects':
    'the Reporting Service sends me elsewhere. The operator has to look at REPORTING_BASE_URL.',
  'service-broken': 'the Reporting Service has a problem of its own.',
  'too-many-requests': 'the Reporting Service takes no more questions for now.',
  'wait-too-long': 'the Reporting Service asks to be left alone for a long time.',
  'empty-answer': 'the Reporting Service answers with nothing at all.',
  interrupted: 'I was stopped in the middle of it.',
  superseded: 'a later one took its place.',
  'by-hand': 'somebody paused it.',
  deleted: 'it was deleted.',
};

export function wordsForCode(code: string): string {
  return words[code] ?? wordsForSlack(code);
}
