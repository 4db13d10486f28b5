import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { renderList, useAnchored } from '../parts/hooks.js';
import { drawable } from '../text/drawable.js';
import { type Choice, type ChoiceGroup, filterGroups } from './element-state.js';
import { ariaProps, type ElementContext } from './use-element.js';

export interface ComboboxProps<C extends Choice> {
  context: ElementContext;
  placeholder: string;
  groups: readonly { readonly label: string | undefined; readonly choices: readonly C[] }[];
  chosen: readonly C[];
  change(chosen: readonly C[]): void;
  multiple?: boolean;
  /** Maximum number of chosen items. */
  maxItems?: number | undefined;
  /** For external options: called with the typed text. The list is then not filtered here. */
  search?: (query: string) => void;
  note?: string | undefined;
  autoFocus?: boolean | undefined;
  disabled?: boolean;
}

/** The combobox behind every select: a field with a list that typing filters. Works with the keyboard alone. */
export function Combobox<C extends Choice>(props: ComboboxProps<C>) {
  const {
    context,
    placeholder,
    chosen,
    change,
    multiple = false,
    maxItems,
    search,
    disabled = false,
  } = props;
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState<string>();
  const [active, setActive] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const box = useAnchored<HTMLDivElement>(frame, open);
  const listId = useId();

  const groups = useMemo(
    () => (search ? props.groups : filterGroups(props.groups, query ?? '')) as readonly ChoiceGroup[],
    [search, props.groups, query],
  );
  const choices = groups.flatMap((group) => group.choices) as C[];
  const ids = new Set(chosen.map((choice) => choice.id));
  const full = multiple && maxItems !== undefined && chosen.length >= maxItems;
  const shownActive = Math.min(active, Math.max(0, choices.length - 1));

  function openList() {
    if (open || disabled) return;
    const at = multiple ? -1 : choices.findIndex((choice) => ids.has(choice.id));
    setActive(Math.max(0, at));
    setOpen(true);
    search?.(query ?? '');
  }
  function close() {
    setOpen(false);
    setQuery(undefined);
  }
  function type(text: string) {
    setQuery(text);
    setActive(0);
    setOpen(true);
    search?.(text);
  }
  function pick(index: number) {
    const choice = choices[index];
    if (!choice) return;
    if (!multiple) {
      close();
      change([choice]);
    } else if (ids.has(choice.id)) {
      change(chosen.filter((other) => other.id !== choice.id));
    } else if (!full) {
      change([...chosen, choice]);
      setQuery(undefined);
      if (query) search?.('');
    }
    field.current?.focus();
  }
  function onKeyDown(event: React.KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!open) openList();
      else setActive(Math.max(0, Math.min(choices.length - 1, shownActive + step)));
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      pick(shownActive);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Backspace' && !query && multiple && chosen.length > 0) {
      change(chosen.slice(0, -1));
    } else if (event.key === 'Tab') {
      close();
    }
  }

  const single = multiple ? undefined : chosen[0];
  const note = full
    ? `You can choose at most ${maxItems}.`
    : (props.note ?? (choices.length === 0 ? 'Nothing found.' : undefined));
  return (
    <div
      ref={frame}
      className={`select${multiple ? ' select-multiple' : ''}${context.invalid ? ' invalid' : ''}`}
    >
      {multiple ? (
        <Chips
          chosen={chosen}
          remove={(gone) => change(chosen.filter((choice) => choice.id !== gone.id))}
          disabled={disabled}
        />
      ) : null}
      <input
        ref={field}
        className="select-field"
        role="combobox"
        type="text"
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        // biome-ignore lint/a11y/noAutofocus: the bot asked for it with focus_on_load.
        autoFocus={props.autoFocus}
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && choices.length > 0 ? optionId(listId, shownActive) : undefined}
        {...ariaProps(context, placeholder)}
        placeholder={single || chosen.length > 0 ? '' : placeholder}
        value={query ?? single?.label ?? ''}
        onChange={(event) => type(event.target.value)}
        onClick={openList}
        onFocus={(event) => event.target.select()}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {single && context.optional && !disabled ? (
        <button
          type="button"
          className="select-clear"
          aria-label="Clear the choice"
          onClick={() => change([])}
        >
          ×
        </button>
      ) : null}
      <svg className="select-arrow" viewBox="0 0 12 12" aria-hidden="true">
        <path d="M2.5 4.5 L6 8 L9.5 4.5" />
      </svg>
      {open ? (
        <Listbox
          box={box}
          id={listId}
          label={placeholder}
          groups={groups}
          chosen={ids}
          multiple={multiple}
          active={shownActive}
          highlight={setActive}
          pick={pick}
          note={note}
        />
      ) : null}
    </div>
  );
}

interface ListboxProps {
  box: RefObject<HTMLDivElement | null>;
  id: string;
  label: string;
  groups: readonly ChoiceGroup[];
  chosen: ReadonlySet<string>;
  multiple: boolean;
  /** Index of the highlighted choice over all groups. */
  active: number;
  highlight(index: number): void;
  pick(index: number): void;
  /** A note instead of the choices or above them. */
  note: string | undefined;
}

/** The open list of a select, in the top layer. The focus stays in the field. */
function Listbox(props: ListboxProps) {
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
        {renderList(groups, (group) => {
          const first = index;
          index += group.choices.length;
          return <Group {...props} group={group} first={first} />;
        })}
      </div>
    </div>
  );
}

function optionId(listId: string, index: number): string {
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
          {drawable(choice.label)}
          {choice.description ? <span className="option-description">{choice.description}</span> : null}
        </span>
      </div>
    );
  });
  if (group.label === undefined) return options;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox cannot contain a fieldset.
    <div role="group" aria-labelledby={heading}>
      <div id={heading} className="option-group" role="presentation">
        {drawable(group.label)}
      </div>
      {options}
    </div>
  );
}

/** The chosen items of a multi-select, each with a remove button. */
function Chips<C extends Choice>(props: {
  chosen: readonly C[];
  remove(choice: C): void;
  disabled: boolean;
}) {
  return props.chosen.map((choice) => (
    <span key={choice.id} className="chip">
      {drawable(choice.label)}
      <button
        type="button"
        className="chip-drop"
        aria-label={`Remove ${choice.label}`}
        disabled={props.disabled}
        onClick={() => props.remove(choice)}
      >
        ×
      </button>
    </span>
  ));
}
