/** What Slack puts between `<` and `>`: a mention, a channel, a group or date, or an address; then maybe a label. */
const dressing = /<(?:([@#!])([^<>|]*)|((?:https?|mailto|tel):[^<>|]*))(?:\|([^<>]*))?>/g;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/**
 * The plain text of a text that came from Slack, as the person saw it: a link becomes its label, a mention `@name`, a
 * channel `#name`, and `&amp; &lt; &gt;` the characters they stand for. It never becomes more than text: the name of
 * a mention keeps its `@`, so that it is no word of a command. To be done once, at the door where Slack's text comes in.
 */
export function undress(text: string): string {
  return text
    .replace(dressing, (_whole, sign: string | undefined, name = '', address = '', label = '') =>
      sign === undefined ? label || address.replace(/^(?:mailto|tel):/, '') : signed(sign, name, label),
    )
    .replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}

function signed(sign: string, name: string, label: string): string {
  if (sign === '!' && name.startsWith('date^')) return label;
  const shown = label || name.replace(/^subteam\^/, '');
  const mark = sign === '!' ? '@' : sign;
  return shown.startsWith(mark) ? shown : mark + shown;
}
