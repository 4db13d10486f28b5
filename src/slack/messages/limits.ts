/** Slack's limits, as far as our views come near them. Sources: docs.slack.dev pages of 2026, @slack/types 3.2.0. */
export const limits = {
  /** A message that is longer in all is refused near 13,200 characters; ours stay below this, as JSON. */
  messageCharacters: 12_000,
  messageBlocks: 50,
  /** The `text` of a message: more is cut or hard to read. */
  textCharacters: 4_000,
  headerCharacters: 150,
  /** Any text object. */
  textObjectCharacters: 3_000,
  sectionFields: 10,
  contextElements: 10,
  buttonCharacters: 75,
  buttonValueCharacters: 2_000,
  modalTitleCharacters: 24,
  /** The text of a choice, its value, and its second line. */
  optionCharacters: 75,
  /** What a text field takes. */
  inputCharacters: 3_000,
  chart: {
    titleCharacters: 50,
    labelCharacters: 20,
    categories: 20,
    series: 6,
  },
  table: {
    /** Beneath the header. */
    rows: 200,
    columns: 20,
    pageSize: 10,
  },
} as const;
