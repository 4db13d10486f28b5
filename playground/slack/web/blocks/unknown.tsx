/** Said plainly, so that whoever adds a block or an element to the bot adds it here too. */
export function Unknown({ kind }: { kind: string }) {
  return (
    <div className="unknown" role="note">
      The playground does not draw <code>{kind}</code>.
    </div>
  );
}
