import { BrandMark } from '../parts/brand-mark.js';

const commands = [
  { line: '/report engagement last-week', what: 'How much people learned last week' },
  { line: '/report overdue csv', what: 'What is past due, with the rows as a file' },
  { line: '/report help', what: 'Everything that can be asked' },
];

/** Long enough to see what was typed, short enough not to wait for it. */
const shownBeforeSending = 450;

interface WelcomeProps {
  type(text: string): void;
  send(text: string): void;
}

/** The first minute: what this is, and three commands that type themselves. */
export function Welcome({ type, send }: WelcomeProps) {
  function run(line: string) {
    type(line);
    setTimeout(() => {
      send(line);
      type('');
    }, shownBeforeSending);
  }
  return (
    <section className="welcome" aria-labelledby="welcome-title">
      <BrandMark />
      <div>
        <h3 id="welcome-title" className="welcome-title">
          Welcome. This is Rollcall, on your own machine.
        </h3>
        <p>
          Rollcall answers questions about learning where people already talk. The bot is the real one; the
          workspace around it and the people in its data are made up. Try one of these, or type{' '}
          <code>/report</code> below.
        </p>
        <ul className="welcome-commands">
          {commands.map(({ line, what }) => (
            <li key={line}>
              <button type="button" className="welcome-command" onClick={() => run(line)}>
                <code>{line}</code>
                <span>{what}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
