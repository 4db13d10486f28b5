import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useWorkspace } from '../connection/connection.js';
import { useAnchored } from '../parts/hooks.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { useRunAction, useShowToast } from '../parts/toasts.js';
import {
  builtInCommands,
  type Completion,
  completionsFor,
  pageActionForText,
  usageHint,
} from './completions.js';

interface ComposerProps {
  /** Accessible name of the field: "Message to #sales". */
  label: string;
  draft: string;
  setDraft(text: string): void;
  send(text: string): void;
  autoFocus?: boolean;
  /** False in threads, where Slack has no slash commands. */
  takesCommands?: boolean;
}

/** The message field. Enter sends, Shift+Enter adds a line, and `/`, `@` and `#` open suggestions. */
export function Composer({
  label,
  draft,
  setDraft,
  send,
  autoFocus = false,
  takesCommands = true,
}: ComposerProps) {
  const workspace = useWorkspace();
  const { users, channels } = workspace;
  const commands = takesCommands ? [...workspace.commands, ...builtInCommands] : [];
  const field = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState<string>();
  const [focused, setFocused] = useState(false);
  const listId = useId();
  const completionList = completionsFor(draft, caret, {
    commands,
    users: users.values(),
    channels: channels.values(),
  });
  const open = focused && completionList !== undefined && closedFor !== draft;
  const box = useAnchored<HTMLDivElement>(frame, open);
  const hint = usageHint(draft, commands);
  useAutoHeight(field, draft);

  function sendNow() {
    if (draft.trim() === '') return;
    send(draft);
    setDraft('');
  }
  function complete(completion: Completion) {
    if (!completionList) return;
    const text = draft.slice(0, completionList.from) + completion.insert + draft.slice(caret).trimStart();
    const at = completionList.from + completion.insert.length;
    // Synchronous, because the next key may be pressed before the next render.
    flushSync(() => {
      setDraft(text);
      setCaret(at);
      setActive(0);
    });
    field.current?.setSelectionRange(at, at);
  }
  function onKeyDown(event: React.KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const chosen = open ? completionList.completions[active] : undefined;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (open && step !== undefined) {
      event.preventDefault();
      setActive((active + step + completionList.completions.length) % completionList.completions.length);
    } else if (open && event.key === 'Escape') {
      event.preventDefault();
      setClosedFor(draft);
    } else if (
      chosen &&
      (event.key === 'Tab' || (event.key === 'Enter' && chosen.insert.trim() !== draft.trim()))
    ) {
      event.preventDefault();
      complete(chosen);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      sendNow();
    }
  }
  return (
    <div className="composer">
      <div ref={frame} className="composer-frame">
        <Shortcuts />
        <textarea
          ref={field}
          className="composer-field"
          rows={1}
          // biome-ignore lint/a11y/noAutofocus: people open a conversation or thread to write there.
          autoFocus={autoFocus}
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={open ? listId : undefined}
          aria-activedescendant={open ? completionId(listId, active) : undefined}
          placeholder={label}
          value={draft}
          onChange={(event) => {
            setDraft(event.target.value);
            setCaret(event.target.selectionStart);
            setActive(0);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        />
        <button
          type="button"
          className="composer-send"
          aria-label="Send"
          disabled={draft.trim() === ''}
          onClick={() => {
            sendNow();
            field.current?.focus();
          }}
        >
          <Icon name="send" />
        </button>
      </div>
      <p className="composer-hint" aria-live="polite">
        {hint ? (
          <>
            <code>{hint.command}</code> {hint.usageHint}
          </>
        ) : (
          `Enter sends, Shift+Enter adds a line${takesCommands ? ', / lists commands' : ''}`
        )}
      </p>
      {open ? (
        <CompletionPopup
          box={box}
          id={listId}
          completions={completionList.completions}
          active={active}
          pick={complete}
        />
      ) : null}
    </div>
  );
}

/** Fits the height of a text area to its text, up to a third of the window. */
function useAutoHeight(field: React.RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, window.innerHeight / 3)}px`;
  }, [text, field]);
}

/** The bot's global shortcuts. */
function Shortcuts() {
  const { shortcuts } = useWorkspace();
  const runAction = useRunAction();
  const global = shortcuts.filter((shortcut) => shortcut.type === 'global');
  if (global.length === 0) return null;
  return (
    <Menu
      label="Shortcuts"
      buttonClass="icon-button composer-shortcuts"
      button={<Icon name="bolt" />}
      items={global.map((shortcut) => ({
        id: shortcut.callbackId,
        content: (
          <span className="person">
            {shortcut.name}
            <span className="option-description">{shortcut.description}</span>
          </span>
        ),
        choose: () => void runAction({ type: 'shortcut', callbackId: shortcut.callbackId }),
      }))}
    />
  );
}

interface CompletionPopupProps {
  box: RefObject<HTMLDivElement | null>;
  id: string;
  completions: readonly Completion[];
  active: number;
  pick(completion: Completion): void;
}

function completionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** Suggestions for the typed text. The focus stays in the composer. */
function CompletionPopup({ box, id, completions, active, pick }: CompletionPopupProps) {
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

interface Drafts {
  readonly texts: Readonly<Record<string, string>>;
  set(key: string, text: string): void;
}

const DraftsContext = createContext<Drafts>({ texts: {}, set: () => {} });

/** Keeps a draft for each conversation. */
export function DraftsProvider({ children }: { children: ReactNode }) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const drafts = useMemo<Drafts>(
    () => ({ texts, set: (key, text) => setTexts((before) => ({ ...before, [key]: text })) }),
    [texts],
  );
  return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

export function useDraft(key: string): [string, (text: string) => void] {
  const { texts, set } = useContext(DraftsContext);
  return [texts[key] ?? '', (text) => set(key, text)];
}

/** A function that sends typed text, and the count of texts sent so far. */
export function useSendText(where: { channel: string; threadTs?: string }): [(text: string) => void, number] {
  const [sent, setSent] = useState(0);
  const runAction = useRunAction();
  const showToast = useShowToast();
  function send(text: string) {
    const action = pageActionForText(text, where);
    if (!action)
      return showToast('Slack has no slash commands in threads. Mention the bot, then type the same words.');
    setSent((count) => count + 1);
    void runAction(action);
  }
  return [send, sent];
}
