/** Every action, block and callback id, once: the view that shows it and the listener that hears it both import it. */
export const actions = {
  /** Stops a run. Its value is the ask's id. */
  cancel: 'ask_cancel',
  /** Puts the CSV of an answer into its thread. Its value is the ask's id. */
  csv: 'ask_csv',
  /** Opens the builder filled with an answer's request. Its value is the ask's id. */
  change: 'ask_change',
  /** Saves an answer's request under a name. Its value is the ask's id. */
  save: 'ask_save',
  /** Makes a digest of an answer's request. Its value is the ask's id. */
  schedule: 'ask_schedule',
  /** Shares a summary from a direct message, without its list of people. Its value is the ask's id. */
  share: 'ask_share',
  /** Asks the same again, for the same range. Its value is the ask's id. */
  again: 'ask_again',
  /** Runs a command as if it were typed. Its value is the words after `/report`. */
  runWords: 'run_words',
  /** Explains the figures of an answer. Its value is the report's name. */
  meanings: 'figure_meanings',
  /** Asks the admins to let person-level data into this channel. Its value is the channel's id. */
  requestApproval: 'approval_request',
  /** An admin's answers to that. The value is `channel requester`. */
  approve: 'approval_grant',
  decline: 'approval_decline',
  /** An admin takes an approval back. Its value is the channel's id. */
  revoke: 'approval_revoke',
  /** An admin approves the channel they are in. Its value is the channel's id. */
  allowHere: 'approval_here',
  /** Opens the form that releases a key. Its value is the channel's id. */
  releaseKey: 'key_release',
  /** An admin takes a released key back. Its value is the key. */
  holdKeyBack: 'key_hold_back',
  /** Opens the builder. Its value is a report's name, or `-` for any. */
  openBuilder: 'open_builder',
} as const;

/** What is on lists of saved reports, wherever they are shown. */
export const savedActions = {
  /** Runs one where the button is. Its value is the saved report's id. */
  run: 'saved_run',
  /** A menu. Its values are a verb and an id: `edit 8f…`, `rename 8f…`, `copy 8f…`, `handOver 8f…`, `delete 8f…`. */
  more: 'saved_more',
  /** Each verb also as a button of its own, with such a value. */
  copy: 'saved_copy',
  edit: 'saved_edit',
  /** Takes a deletion back. Its value is the saved report's id. */
  undo: 'saved_undo',
  /** Shows another part of the list. Its value is as `show-list` reads it. */
  earlier: 'saved_earlier',
  later: 'saved_later',
} as const;

/** What is on the Home tab alone. */
export const homeActions = {
  /** Shows help over the tab. */
  help: 'home_help',
} as const;

/** What is on the builder. Its inputs stand in blocks that are named after them. */
export const builderActions = {
  input: 'builder_input',
  /** A filter's entries, for which Slack asks what to offer. */
  entries: 'builder_entries',
  /** Begins the name of each button that chooses columns. */
  preset: 'builder_preset_',
  /** Shows the less common filters, or hides them. Its value is `more` or `fewer`. */
  moreFilters: 'builder_filters',
} as const;

/** What people can start without being anywhere. */
export const shortcuts = {
  /** Opens the builder. */
  runReport: 'run_report',
} as const;

/** The forms. */
export const views = {
  share: 'share_answer',
  releaseKey: 'release_key',
  /** Its private metadata is the draft's id. */
  builder: 'builder',
  /** Its private metadata is the ask's id and the channel that keeps it. */
  saveReport: 'save_report',
  /** Their private metadata is the saved report's id and, for a new name or owner, the revision that was seen. */
  renameSaved: 'rename_saved',
  copySaved: 'copy_saved',
  handOverSaved: 'hand_over_saved',
} as const;

/** The inputs of the forms: block and action share a name. */
export const inputs = {
  channel: 'channel',
  key: 'key',
  name: 'name',
  owner: 'owner',
} as const;

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
