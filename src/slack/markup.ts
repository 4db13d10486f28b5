/** What Slack puts between `<` and `>`: a mention, a channel, a group or date, or an address; then maybe a label. */
const dressing = /<(?:([@#!])([^<>|]*)|((?:https?|mailto|tel):[^<>|]*))(?:\|([^<>]*))?>/g;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Where a value stands: after a colon or comma, maybe in quotes. */
const valueFollows = /[:,]\s*["“”„‟]?$/;

/**
 * The plain text of a text that came from Slack: a link becomes its label, a mention `@name`, a channel `#name`, and
 * `&amp; &lt; &gt;` the characters they stand for. As the value of an option, a mention is the name alone; elsewhere it
 * keeps its `@`, so that nobody's name is taken for a word of a command. To be done once, where Slack's text comes in.
 */
export function undress(text: string): string {
  return text
    .replace(
      dressing,
      (_whole, sign: string | undefined, name = '', address = '', label = '', place: number) => {
        if (sign === undefined) return label || address.replace(/^(?:mailto|tel):/, '');
        const isValue = valueFollows.test(text.slice(Math.max(0, place - 10), place));
        const shown = signed(sign, name, label);
        return sign === '@' && isValue ? shown.replace(/^@/, '') : shown;
      },
    )
    .replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}

function signed(sign: string, name: string, label: string): string {
  if (sign === '!' && name.startsWith('date^')) return label;
  const shown = label || name.replace(/^subteam\^/, '');
  const mark = sign === '!' ? '@' : sign;
  return shown.startsWith(mark) ? shown : mark + shown;
}
