import type { AnyBlock, InputBlock, ModalView } from '@slack/types';
import type { Level } from '../../access/levels.js';
import { reportNamed } from '../../catalogue/index.js';
import { compact } from '../../requests/text.js';
import { answerInputs } from '../forms/columns.js';
import { conditionInputs } from '../forms/conditions.js';
import { type BuilderDraft, builderActions, inputNames, reportChoices } from '../forms/draft.js';
import { filterInputs, type Titles } from '../forms/filters.js';
import { form } from '../forms/forms.js';
import { radioInput } from '../forms/inputs.js';
import { isOverTime } from '../forms/over-time.js';
import { reportInputs, sortInput } from '../forms/ranges.js';
import { targetInput } from '../forms/target.js';
import { titleOptionOf, whichRowsInputs } from '../forms/which-rows.js';
import { describeAccessRefusal, levelWords } from '../messages/access-levels.js';
import { context, divider } from '../messages/blocks.js';
import { purposeOf, purposesFor } from './purposes.js';

export const builderViews = {
  /** Its private metadata is the draft's ID. */
  builder: 'builder',
} as const;

interface FormFacts {
  readonly titles: Titles;
  /** What the reader may ask of the chosen report. */
  readonly level: Level;
  /** For whoever may ask for nothing: names of admins. */
  readonly admins?: readonly string[];
  /** True where files need a purpose. */
  readonly asksPurpose?: boolean;
  /** True where the reader sees no figure about few people, wherever the answer goes. */
  readonly isProtected?: boolean;
}

/** The builder: a form for every request that can be typed. */
export function builderView(
  draftId: string,
  draft: BuilderDraft,
  { titles, level, admins, asksPurpose = false, isProtected = false }: FormFacts,
): ModalView {
  const report = reportNamed(reportChoices(draft).report);
  const { name, title, submit, inputs } = purposeOf(draft);
  const purposes = purposesFor(draft).map(({ name: value, label: text }) => ({ value, text }));
  const limited = levelWords[level];
  const limitLine = (line: string | undefined) => (line === undefined ? [] : [context(line)]);
  const blocks: AnyBlock[] = compact(
    draft.remarks?.map((remark) => context(remark)),
    reportInputs(draft, report),
    radioInput(inputNames.purpose, 'What to do', purposes, name, { dispatches: true }),
    inputs(draft, isProtected),
    divider(),
    limitLine(limited.filters),
    level === 'nothing'
      ? limitLine(describeAccessRefusal({ kind: 'nothing', admins }))
      : [
          ...whichRowsInputs(draft, report),
          ...filterInputs(draft, report, titles),
          ...conditionInputs(draft, report),
          divider(),
          ...(isOverTime(draft) ? [] : targetInput(draft)),
          ...sortInput(draft, report),
          ...limitLine(limited.file),
          ...answerInputs(draft, report, asksPurpose),
        ],
  );
  return form(builderViews.builder, draftId, title, submit, blocks.map(withSharedAction));
}

const isInput = (block: AnyBlock): block is InputBlock => block.type === 'input';

/** The inputs of the builder share a few actions. */
function withSharedAction(block: AnyBlock): AnyBlock {
  if (!isInput(block)) return block;
  const name = block.block_id ?? '';
  const isTitle = titleOptionOf(name) !== undefined;
  const others = isTitle ? builderActions.titles : builderActions.input;
  const action = name.startsWith(inputNames.entries('')) ? builderActions.entries : others;
  return { ...block, element: { ...block.element, action_id: action } };
}
