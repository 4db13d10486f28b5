/**
 * One command from a shell's arguments. The shell has taken the quotes off `departments:"Field Operations"`, so that
 * entries with blanks in them get new ones.
 */
export function wordsFromArguments(words: readonly string[]): string {
  return words.map(requoted).join(' ');
}

function requoted(word: string): string {
  const [, option, value] = /^([\w.]+:)(.*)$/s.exec(word) ?? [];
  if (option === undefined || value === undefined || !/\s/.test(value) || /["“”„‟]/.test(value)) return word;
  const entries = value
    .split(',')
    .map((entry) => (/\s/.test(entry.trim()) ? `"${entry.trim()}"` : entry.trim()));
  return option + entries.join(',');
}
