import type { AlertBlock } from '@slack/types';
import { SlackText } from '../text/text-object.js';

const signs = { default: 'i', info: 'i', success: '✓', warning: '!', error: '!' };
const words = { default: 'Note', info: 'Note', success: 'Success', warning: 'Warning', error: 'Error' };

export function Alert({ block }: { block: AlertBlock }) {
  const level = block.level ?? 'default';
  return (
    <div className={`alert alert-${level}`} role="note">
      <span className="alert-sign" role="img" aria-label={words[level]}>
        {signs[level]}
      </span>
      <div>
        <SlackText of={block.text} />
      </div>
    </div>
  );
}
