import { emojiCharacter } from './emoji-names.js';

/** One emoji, read out by its name; a name the playground doesn't know stays `:as_typed:`. */
export function Emoji({ name, character }: { name: string; character?: string | undefined }) {
  const drawn = character ?? emojiCharacter(name);
  if (drawn === undefined) return <>{`:${name}:`}</>;
  return (
    <span className="emoji" role="img" aria-label={name.replaceAll('_', ' ')} title={`:${name}:`}>
      {drawn}
    </span>
  );
}
