/** Ids of everything about digests. Unless said otherwise a button's value is the digest's id. */
export const digestActions = {
  /** Saves what was shown. The value is the draft's id. */
  confirm: 'digest_confirm',
  cancel: 'digest_cancel',
  /** Runs a draft to its maker alone. The value is the draft's id. */
  testDraft: 'digest_test_draft',
  /** Runs what stands in a form to whoever has it before them. In the light form its value is an answer's id. */
  testForm: 'digest_test_form',
  /** Changes a draft before it is saved. The value is the draft's id. */
  editDraft: 'digest_edit_draft',
  test: 'digest_test',
  pause: 'digest_pause',
  resume: 'digest_resume',
  edit: 'digest_edit',
  sendNow: 'digest_send_now',
  handOver: 'digest_hand_over',
  delete: 'digest_delete',
  undoDelete: 'digest_undo_delete',
  history: 'digest_history',
  /** All of the above that stand in one menu; a choice's value is `action digest`, and after them what `show-list` reads. */
  menu: 'digest_menu',
  /** Another part of a list. Its value is as `show-list` reads it. */
  earlier: 'digest_page_earlier',
  later: 'digest_page_later',
  /** What its owner says of a run that nobody knows about. The value is the run's id. */
  arrived: 'digest_arrived',
  sendAgain: 'digest_send_again',
  fileArrived: 'digest_file_arrived',
  sendFileAgain: 'digest_send_file_again',
  /** Ways out of a failure. The value is the run's id. */
  retry: 'digest_retry',
  join: 'digest_join',
} as const;

export const digestViews = {
  /** How often an answer is to come. Its private metadata is the answer's id. */
  cadence: 'digest_cadence',
  /** Its private metadata is the digest's id. */
  handOver: 'digest_hand_over_form',
} as const;

/** The inputs of these forms: block and action share a name. */
export const digestInputs = {
  kind: 'digest_kind',
  days: 'digest_days',
  day: 'digest_day_of_month',
  time: 'digest_time',
  zone: 'digest_zone',
  words: 'digest_words',
  channel: 'digest_channel',
  skipEmpty: 'digest_skip_empty',
} as const;
