import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useAnchored } from './hooks.js';

export interface MenuItem {
  readonly id: string;
  readonly content: ReactNode;
  readonly danger?: boolean;
  /** For radio items: whether this one is chosen. */
  readonly checked?: boolean;
  choose(): void;
}

interface MenuProps {
  label: string;
  button: ReactNode;
  buttonClass: string;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
}

/** A button that opens a menu. Arrows, Home, End, Enter and Escape work. Closing restores the focus. */
export function Menu({ label, button, buttonClass, items, align = 'start' }: MenuProps) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const box = useAnchored<HTMLDivElement>(opener, open, align);
  const menuId = useId();
  useEffect(() => {
    if (open)
      (
        menuItemsIn(box.current).find((item) => item.ariaChecked === 'true') ?? menuItemsIn(box.current)[0]
      )?.focus();
  }, [open, box]);

  function close() {
    setOpen(false);
    opener.current?.focus();
  }
  function onKeyDown(event: React.KeyboardEvent) {
    const all = menuItemsIn(box.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[
      event.key
    ];
    if (target !== undefined) {
      event.preventDefault();
      all[target % all.length]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={buttonClass}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open ? (
        <div
          ref={box}
          id={menuId}
          popover="manual"
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className="popover menu"
          onKeyDown={onKeyDown}
          onBlur={(event) => {
            const next = event.relatedTarget;
            if (next !== opener.current && !event.currentTarget.contains(next)) setOpen(false);
          }}
        >
          {items.map((item) => (
            <MenuEntry
              key={item.id}
              item={item}
              choose={() => {
                close();
                item.choose();
              }}
            />
          ))}
        </div>
      ) : null}
    </>
  );
}

function MenuEntry({ item, choose }: { item: MenuItem; choose(): void }) {
  const className = `menu-item${item.danger ? ' menu-item-danger' : ''}`;
  return item.checked === undefined ? (
    <button type="button" role="menuitem" tabIndex={-1} className={className} onClick={choose}>
      {item.content}
    </button>
  ) : (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={item.checked}
      tabIndex={-1}
      className={className}
      onClick={choose}
    >
      {item.content}
    </button>
  );
}

function menuItemsIn(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
}
