/**
 * The IDs of all actions, blocks and callbacks. The view that shows one and its listener both import it. Messages that
 * are already in Slack hold these strings, so they must not change.
 *
 * The value of each of these actions is the request's ID, unless stated otherwise.
 */
export const actions = {
  cancel: 'ask_cancel',
  /** Sends the CSV of an answer into its thread. */
  csv: 'ask_csv',
  xlsx: 'ask_xlsx',
  /** Puts the details of an answer into its thread. */
  details: 'ask_details',
  /** Does so again, where their delivery is unconfirmed. Its value is the request's ID and the `ts` of the thread. */
  detailsAgain: 'ask_details_again',
  /** A menu under a scorecard: runs one of its lines. Its value is the request's ID and the line, from 0. */
  showLine: 'ask_show_line',
  /** Opens the form that adds the request of an answer to a scorecard. */
  addToScorecard: 'ask_add_to_scorecard',
  /** Opens the builder with the request of an answer. */
  change: 'ask_change',
  save: 'ask_save',
  schedule: 'ask_schedule',
  /** Shares a summary from a direct message, without its list of people. */
  share: 'ask_share',
  /** Runs a request again, for the same range; `againAsCsv`: with a CSV as its file. */
  again: 'ask_again',
  againAsCsv: 'ask_again_as_csv',
  /** Runs a command. Its value is the words after `/report`. */
  runWords: 'run_words',
  /** Runs a command with the entries of its filters as they were typed. Its value is the words after `/report`. */
  runAsTyped: 'run_as_typed',
  /** Explains the figures of an answer. Its value is the report's name. */
  meanings: 'figure_meanings',
  /** Asks the admins to allow person-level data in the channel that the button is in. Its value is the channel's ID. */
  requestApproval: 'approval_request',
  /** Answers of an admin. The value is `channel requester`. */
  approve: 'approval_grant',
  decline: 'approval_decline',
  /** Withdraws the approval of a channel. Its value is the channel's ID. */
  revoke: 'approval_revoke',
  /** Approves the channel that the button is in. Its value is the channel's ID and the number of its guests. */
  allowHere: 'approval_here',
  /** Opens the form that releases a key. Its value is the channel's ID. */
  releaseKey: 'key_release',
  /** Withdraws a released key. Its value is the key. */
  holdKeyBack: 'key_hold_back',
  /** Opens the form that asks what something is for. Its value is what waits for it, as JSON. */
  sayPurpose: 'say_purpose',
  /** Opens the builder. Its value is a command, such as a report's name, or `-` for an empty form. */
  openBuilder: 'open_builder',
} as const;

/** Actions on levels of access, under `/report access`. */
export const accessActions = {
  /** Opens the form that sets a rule. Its value is the channel's ID. */
  set: 'access_set',
  /** Ends a rule. Its value is the kind of subject, its ID and the report; `-`: none. */
  removeRule: 'access_remove_rule',
  /** Opens the form that adds an admin. Its value is the channel's ID. */
  addAdmin: 'access_add_admin',
  /** Its value is a Slack user ID. */
  removeAdmin: 'access_remove_admin',
  /** Opens the form that sets the age of files in a channel. Its value is the channel's ID. */
  setAge: 'access_set_age',
  /** Opens the form of the file for a works council. Its value is the channel's ID. */
  rules: 'access_rules',
  /** Lets people see in their own record who asked, or hides it. Its value is `show` or `hide`. */
  askerNames: 'access_asker_names',
} as const;

export const accessViews = {
  /** Its private metadata is the channel's ID. */
  set: 'access_set_form',
  /** Shows what a rule would do. Its private metadata is the rule, as JSON. */
  confirm: 'access_confirm',
  /** Its private metadata is the channel's ID. */
  addAdmin: 'access_add_admin_form',
  /** Its private metadata is the channel's ID. */
  age: 'access_age_form',
  rules: 'access_rules_form',
} as const;

/** Inputs of the forms of access. Block and action have the same name. */
export const accessInputs = {
  who: 'access_who',
  /** Slack requests suggestions for it. */
  group: 'access_group',
  person: 'access_person',
  reports: 'access_reports',
  level: 'access_level',
  days: 'access_days',
  since: 'access_since',
  /** The same for everybody's direct messages. */
  directDays: 'access_direct_days',
} as const;

/** Actions on saved reports, in all lists. */
export const savedActions = {
  /** Runs a saved report in the conversation of the button. Its value is the saved report's ID. */
  run: 'saved_run',
  /** A menu. Its values are an action and an ID: `edit 8f…`, `rename 8f…`, `copy 8f…`, `handOver 8f…`, `delete 8f…`. */
  more: 'saved_more',
  /** Two of these actions as buttons, with the same values. */
  copy: 'saved_copy',
  edit: 'saved_edit',
  /** Restores a deleted saved report. Its value is the saved report's ID. */
  undo: 'saved_undo',
  /** The new owner answers an offer. The value is as `parseOffer` reads it. */
  accept: 'saved_accept',
  declineOffer: 'saved_decline',
  /** Shows another page of the list. Its value is as `parseListView` reads it. */
  earlier: 'saved_earlier',
  later: 'saved_later',
} as const;

/** Actions under a page of the record. Their value is what `parseAuditPosition` reads. */
export const auditActions = {
  newer: 'audit_newer',
  older: 'audit_older',
  file: 'audit_file',
} as const;

/** Actions under a page of somebody's own record. */
export const recordActions = {
  older: 'record_older',
  newest: 'record_newest',
  html: 'record_html',
  json: 'record_json',
} as const;

/** Actions that only the Home tab has. */
export const homeActions = {
  /** Shows the whole help in a modal. Messages have it too. */
  help: 'home_help',
} as const;

/** Actions of the builder. Each input is in a block with the same name. */
export const builderActions = {
  input: 'builder_input',
  /** The entries of a filter. Slack requests suggestions for them. */
  entries: 'builder_entries',
  /** Titles of content, tracks and the like. Slack requests suggestions for them. */
  titles: 'builder_titles',
  /** Prefix of the buttons that choose columns. */
  preset: 'builder_preset_',
  /** Shows the common filters, or all. Its value is `open` or `more`. Older forms hide them with `fewer`. */
  moreFilters: 'builder_filters',
  /** Hides the filters that are not in use. */
  fewerFilters: 'builder_fewer_filters',
  /** Adds the inputs of a condition on rows. */
  addCondition: 'builder_add_condition',
} as const;

/** Global shortcuts. */
export const shortcuts = {
  runReport: 'run_report',
} as const;

/** Callback IDs of forms. */
export const views = {
  share: 'share_answer',
  releaseKey: 'release_key',
  /** Its private metadata is what waits for the purpose, as JSON. */
  purpose: 'say_purpose_form',
  /** Its private metadata is the draft's ID. */
  builder: 'builder',
  /** Its private metadata is the request's ID and the channel to save it in. */
  saveReport: 'save_report',
  /** Their private metadata is the saved report's ID. For a rename, the revision that the person saw follows. */
  renameSaved: 'rename_saved',
  /** Its private metadata is the request's ID and the channel of the answer. */
  addToScorecard: 'add_to_scorecard',
  /** Its private metadata is the ID and the revision of the saved scorecard. */
  editScorecard: 'edit_scorecard',
  copySaved: 'copy_saved',
  handOverSaved: 'hand_over_saved',
} as const;

/** Inputs of forms. Block and action have the same name. */
export const inputs = {
  channel: 'channel',
  key: 'key',
  purpose: 'purpose',
  /** The saved scorecard that a line is added to, or `new`. */
  scorecard: 'scorecard',
  lines: 'scorecard_lines',
  name: 'name',
  owner: 'owner',
} as const;

/** Actions on digests. The value is the digest's ID unless stated otherwise. */
export const digestActions = {
  /** Shows a digest with its actions, under its answers. */
  manage: 'digest_manage',
  /** Saves a draft. The value is the draft's ID. */
  confirm: 'digest_confirm',
  cancel: 'digest_cancel',
  /** Runs a draft for its maker alone. The value is the draft's ID. */
  testDraft: 'digest_test_draft',
  /** Runs the request of an open form for that person alone. Its form says which. */
  testForm: 'digest_test_form',
  /** Edits a draft. The value is the draft's ID. */
  editDraft: 'digest_edit_draft',
  test: 'digest_test',
  pause: 'digest_pause',
  resume: 'digest_resume',
  edit: 'digest_edit',
  sendNow: 'digest_send_now',
  handOver: 'digest_hand_over',
  /** The new owner answers an offer. The value is as `parseOffer` reads it. */
  accept: 'digest_accept',
  declineOffer: 'digest_decline',
  delete: 'digest_delete',
  undoDelete: 'digest_undo_delete',
  history: 'digest_history',
  /**
   * The menu with the actions above. A value is an action, the digest's ID and the page of the list, as `parseListView`
   * reads it.
   */
  menu: 'digest_menu',
  /** Shows another page of a list. Its value is as `parseListView` reads it. */
  earlier: 'digest_page_earlier',
  later: 'digest_page_later',
  /** The owner settles an unconfirmed run. The value is the run's ID. */
  arrived: 'digest_arrived',
  sendAgain: 'digest_send_again',
  fileArrived: 'digest_file_arrived',
  sendFileAgain: 'digest_send_file_again',
  /** Recovers from a failure. The value is the run's ID. */
  retry: 'digest_retry',
  asCsv: 'digest_as_csv',
  join: 'digest_join',
  /** The owner of an alert says whether a sudden drop of rows is true. The value is the run's ID. */
  dropIsTrue: 'digest_drop_is_true',
  dropIsFalse: 'digest_drop_is_false',
} as const;

/** Actions under a digest's message to a manager. The value is the digest's ID. */
export const managerActions = {
  /** Shows all rows of the reader's team. */
  all: 'manager_all',
  /** *Not for me*. */
  decline: 'manager_decline',
  /** Takes that back, on the Home tab. */
  wantAgain: 'manager_want_again',
  /** An admin decides about a digest for many managers. The value is the draft's ID and its maker. */
  confirm: 'manager_confirm',
  refuse: 'manager_refuse',
} as const;

export const digestViews = {
  /** The schedule form. Its private metadata is the request's ID and the channel of the answer. */
  cadence: 'digest_cadence',
  /** Its private metadata is the digest's ID. */
  handOver: 'digest_hand_over_form',
} as const;

/** Inputs of the forms of digests. Block and action have the same name. */
export const digestInputs = {
  kind: 'digest_kind',
  days: 'digest_days',
  day: 'digest_day_of_month',
  time: 'digest_time',
  zone: 'digest_zone',
  words: 'digest_words',
  /** Whether it is an alert, and what that waits for. */
  when: 'digest_when',
  /** Of an alert. The name of its input also has what decides the figures. */
  figure: 'digest_figure',
  comparison: 'digest_comparison',
  value: 'digest_value',
  /** A channel, or each manager. */
  audience: 'digest_audience',
  channel: 'digest_channel',
  'skip-empty': 'digest_skip_empty',
  'keep-days': 'digest_keep_days',
} as const;
