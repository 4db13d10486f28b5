import type { Choice } from './choice.js';

/** What is chosen in a multi-select, each with a way to drop it. */
export function Chips<C extends Choice>(props: {
  chosen: readonly C[];
  drop(choice: C): void;
  disabled: boolean;
}) {
  return props.chosen.map((choice) => (
    <span key={choice.id} className="chip">
      {choice.words}
      <button
        type="button"
        className="chip-drop"
        aria-label={`Remove ${choice.words}`}
        disabled={props.disabled}
        onClick={() => props.drop(choice)}
      >
        ×
      </button>
    </span>
  ));
}
