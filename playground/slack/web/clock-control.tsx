import { useEffect, useRef, useState } from 'react';
import { useDirectory, useWorkspace } from './connection/connection.js';
import { workspaceNow } from './connection/workspace.js';
import { useAnchored, useNow } from './parts/hooks.js';
import { Icon } from './parts/icons.js';
import { useRunAction } from './parts/toasts.js';
import {
  formatClockOffset,
  formatSlackDate,
  nextMondayMorning,
  secondsOf,
  tomorrowMorning,
  wallClock,
} from './text/dates.js';

const hour = 3_600_000;

/** Shows the workspace's time, and moves it, so that digests can be seen before they are due. */
export function ClockControl() {
  const workspace = useWorkspace();
  const { zone } = useDirectory();
  const now = workspaceNow(workspace, useNow(1000));
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isMoved = Math.abs(workspace.clock.offsetMs) >= 1000;
  const shown = formatSlackDate(now / 1000, '{time}', { zone, now: now });
  const day = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: zone,
  });
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`bar-button clock${isMoved ? ' clock-moved' : ''}`}
        aria-expanded={open}
        aria-haspopup="dialog"
        title={`The playground's time, in ${zone}`}
        onClick={() => setOpen(!open)}
      >
        <Icon name="clock" />
        <span className="clock-day">{day.format(now)}</span>
        <strong>{shown}</strong>
        {isMoved ? <span className="clock-ahead">{formatClockOffset(workspace.clock.offsetMs)}</span> : null}
      </button>
      {open ? (
        <ClockPanel
          anchor={button}
          now={() => workspaceNow(workspace, Date.now())}
          isMoved={isMoved}
          close={() => {
            setOpen(false);
            button.current?.focus();
          }}
        />
      ) : null}
    </>
  );
}

interface ClockPanelProps {
  anchor: React.RefObject<HTMLButtonElement | null>;
  now(): number;
  isMoved: boolean;
  close(): void;
}

function ClockPanel({ anchor, now, isMoved, close }: ClockPanelProps) {
  const { zone } = useDirectory();
  const runAction = useRunAction();
  const box = useAnchored<HTMLDivElement>(anchor, true);
  const [chosen, setChosen] = useState(() => wallClock(tomorrowMorning(now(), zone) / 1000, zone));
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);

  /** Adds half a second, so that digests at exactly that moment are due. */
  function moveTo(moment: number) {
    moveBy(moment - now() + 500);
  }
  function moveBy(by: number) {
    void runAction({ type: 'move-clock', by });
    close();
  }
  return (
    <div
      ref={box}
      popover="manual"
      role="dialog"
      aria-label="The playground's time"
      className="popover clock-panel"
      onKeyDown={(event) => event.key === 'Escape' && close()}
      onBlur={(event) => {
        const next = event.relatedTarget;
        if (next && next !== anchor.current && !event.currentTarget.contains(next)) close();
      }}
    >
      <p className="clock-note">
        Move the playground's time. Digests that become due arrive at once, and late ones say so.
      </p>
      <button ref={first} type="button" className="menu-item" onClick={() => moveBy(hour)}>
        Forward one hour
      </button>
      <button type="button" className="menu-item" onClick={() => moveTo(nextMondayMorning(now(), zone))}>
        Next Monday, 9:00 AM
      </button>
      <form
        className="clock-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) moveTo(secondsOf(chosen, zone) * 1000);
        }}
      >
        <input
          type="datetime-local"
          className="field"
          aria-label={`Date and time in ${zone}`}
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
        />
        <button type="submit" className="button button-filled button-primary">
          Set time
        </button>
      </form>
      {isMoved ? (
        <button
          type="button"
          className="menu-item"
          onClick={() => {
            void runAction({ type: 'reset-clock' });
            close();
          }}
        >
          Back to real time
        </button>
      ) : null}
    </div>
  );
}
