import type { RefObject } from 'react';
import type { Completion } from './completions.js';

interface CompletionPopupProps {
  box: RefObject<HTMLDivElement | null>;
  id: string;
  completions: readonly Completion[];
  active: number;
  pick(completion: Completion): void;
}

export function completionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** What the typed beginning may become. The focus stays in the composer. */
export function CompletionPopup({ box, id, completions, active, pick }: CompletionPopupProps) {
  return (
    <div ref={box} popover="manual" className="popover completions">
      <div id={id} role="listbox" aria-label="Suggestions">
        {completions.map((completion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the composer takes the keys.
          <div
            key={completion.id}
            id={completionId(id, index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={`option${index === active ? ' option-active' : ''}`}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(completion)}
          >
            <span className="completion-title">{completion.title}</span>
            <span className="completion-detail">{completion.detail}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
