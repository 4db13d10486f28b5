/** How many a person can own. */
export const maxOwned = { digest: 50, 'saved report': 100 } as const;

export type ItemKind = keyof typeof maxOwned;

/** How many saved reports a channel can have. */
export const maxInChannel = 200;

export const maxSaved = { inChannel: maxInChannel, owned: maxOwned['saved report'] };

export const tooManySavedThere = `${maxInChannel} reports are saved there, which is the limit. Delete one first: type /report list there.`;
