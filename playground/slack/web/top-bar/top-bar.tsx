import { ClockControl } from '../clock/clock-control.js';
import { BrandMark } from '../parts/brand-mark.js';
import { Icon } from '../parts/icons.js';
import type { Theme } from '../parts/theme.js';
import { RefusalCount } from './refusal-count.js';
import { UserSwitch } from './user-switch.js';

interface TopBarProps {
  theme: Theme;
  switchTheme(): void;
  inspecting: boolean;
  toggleInspector(): void;
}

export function TopBar({ theme, switchTheme, inspecting, toggleInspector }: TopBarProps) {
  const otherTheme = theme === 'light' ? 'Dark theme' : 'Light theme';
  return (
    <header className="top-bar">
      <div className="brand">
        <BrandMark />
        <span>
          Rollcall <span className="brand-kind">playground</span>
        </span>
      </div>
      <ClockControl />
      <div className="top-bar-end">
        <RefusalCount open={() => inspecting || toggleInspector()} />
        <button
          type="button"
          className="bar-button"
          aria-label={otherTheme}
          title={otherTheme}
          onClick={switchTheme}
        >
          <Icon name={theme === 'light' ? 'moon' : 'sun'} />
        </button>
        <button
          type="button"
          className="bar-button"
          aria-pressed={inspecting}
          title="What the bot, Slack and the Reporting Service say to each other"
          onClick={toggleInspector}
        >
          <Icon name="panel" /> Inspector
        </button>
        <UserSwitch />
      </div>
    </header>
  );
}
