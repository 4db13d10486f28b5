/** Text of at most that many UTF-16 units, ending in `…` where something was cut, and never inside a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = Math.max(0, most - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}
