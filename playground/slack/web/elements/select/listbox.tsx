import { type RefObject, useEffect, useId } from 'react';
import { inOrder } from '../../parts/in-order.js';
import type { ChoiceGroup } from './choice.js';

export interface ListboxProps {
  box: RefObject<HTMLDivElement | null>;
  id: string;
  label: string;
  groups: readonly ChoiceGroup[];
  chosen: ReadonlySet<string>;
  multiple: boolean;
  /** Place of the highlighted choice, counted over all groups. */
  active: number;
  highlight(index: number): void;
  pick(index: number): void;
  /** A line in place of the choices, or above them. */
  note: string | undefined;
}

/** The open list of a select, in the top layer. The focus stays in the field; the list is named by it. */
export function Listbox(props: ListboxProps) {
  const { box, id, groups, active, note } = props;
  useEffect(() => {
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  let index = 0;
  return (
    <div ref={box} popover="manual" className="popover listbox-popover">
      {note === undefined ? null : (
        <div className="listbox-note" role="status">
          {note}
        </div>
      )}
      <div id={id} role="listbox" aria-label={props.label} aria-multiselectable={props.multiple || undefined}>
        {inOrder(groups, (group) => {
          const first = index;
          index += group.choices.length;
          return <Group {...props} group={group} first={first} />;
        })}
      </div>
    </div>
  );
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

function Group(props: ListboxProps & { group: ChoiceGroup; first: number }) {
  const { group, first, id, chosen, active, highlight, pick } = props;
  const heading = useId();
  const options = group.choices.map((choice, offset) => {
    const index = first + offset;
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field that owns the list takes the keys.
      <div
        key={choice.id}
        id={optionId(id, index)}
        role="option"
        tabIndex={-1}
        aria-selected={chosen.has(choice.id)}
        className={`option${index === active ? ' option-active' : ''}`}
        onPointerMove={() => index !== active && highlight(index)}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => pick(index)}
      >
        <span className="option-tick" aria-hidden="true">
          {chosen.has(choice.id) ? '✓' : ''}
        </span>
        <span className="option-words">
          {choice.words}
          {choice.description ? <span className="option-description">{choice.description}</span> : null}
        </span>
      </div>
    );
  });
  if (group.label === undefined) return options;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a listbox.
    <div role="group" aria-labelledby={heading}>
      <div id={heading} className="option-group" role="presentation">
        {group.label}
      </div>
      {options}
    </div>
  );
}
