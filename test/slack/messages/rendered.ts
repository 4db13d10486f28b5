import type { OutgoingMessage } from '../../../src/slack/delivery/post-message.js';

/** A block or a part of one, as JSON. */
type Part = Readonly<Record<string, unknown>>;

/**
 * A message as readable text: the blocks in order, with a blank line between them. Buttons, charts and tables are in
 * brackets.
 *
 * @throws Error for an unknown kind of block, so that no block is missed
 */
export function renderedMessage(message: OutgoingMessage): string {
  return (message.blocks ?? []).map((block) => renderedBlock({ ...block })).join('\n\n');
}

function renderedBlock(block: Part): string {
  switch (block.type) {
    case 'header':
      return `# ${textIn(block.text)}`;
    case 'section':
      return [...(block.text ? [textIn(block.text)] : []), ...parts(block.fields).map(renderedField)].join(
        '\n',
      );
    case 'context':
      return parts(block.elements).map(textIn).join(' | ');
    case 'rich_text':
      return parts(block.elements).map(renderedRichText).join('\n');
    case 'data_visualization':
      return renderedChart(block);
    case 'data_table':
      return renderedTable(block);
    case 'actions':
      return parts(block.elements)
        .map((button) => `[${textIn(button.text)}: ${button.action_id} ${button.value}]`)
        .join(' ');
    default:
      throw new Error(`No rendering of the block ${block.type}`);
  }
}

function renderedField(field: Part): string {
  return textIn(field).replaceAll('\n', ' ');
}

function renderedRichText(part: Part): string {
  const lines = parts(part.elements);
  if (part.type === 'rich_text_list') return lines.map((line) => `- ${renderedRichText(line)}`).join('\n');
  return lines.map(renderedRun).join('');
}

function renderedRun({ text, style }: Part): string {
  const [mark = ''] = Object.keys({ ...(style ?? {}) }).map(
    (name) => ({ bold: '*', code: '`' })[name] ?? '?',
  );
  return `${mark}${text}${mark}`;
}

function renderedChart({ title, chart }: Part): string {
  const [drawn] = parts([chart]);
  const series = parts(drawn?.series).map(({ name, data }) => {
    const points = parts(data).map(({ label, value }) => `${label} ${value}`);
    return `${name}: ${points.join(', ')}`;
  });
  return [`[${drawn?.type} chart] ${title}`, ...series].join('\n');
}

/** A cell. A sort value that differs from the text follows it. */
function renderedTable({ caption, rows }: Part): string {
  const lines = (Array.isArray(rows) ? rows : []).map((row) => parts(row).map(renderedCell).join(' | '));
  return [`[table] ${caption}`, ...lines].join('\n');
}

function renderedCell({ text, value }: Part): string {
  return value === undefined || String(value) === text ? String(text) : `${text} {${value}}`;
}

function textIn(part: unknown): string {
  const [found] = parts([part]);
  return String(found?.text);
}

/** The objects of a list; empty if it is not a list. */
function parts(list: unknown): readonly Part[] {
  return Array.isArray(list)
    ? list.filter((part): part is Part => typeof part === 'object' && part !== null)
    : [];
}
