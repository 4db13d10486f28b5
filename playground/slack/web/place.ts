/** What the page shows in its middle. */
export type Place =
  | { readonly kind: 'channel'; readonly channel: string }
  | { readonly kind: 'app'; readonly tab: 'home' | 'messages' };

/** The place as the part of the address after `#`, so that a reload comes back to it. */
export function placeAddress(place: Place): string {
  return place.kind === 'app' ? `app/${place.tab}` : place.channel;
}

export function placeAt(address: string): Place | undefined {
  if (address === 'app/home') return { kind: 'app', tab: 'home' };
  if (address === 'app/messages') return { kind: 'app', tab: 'messages' };
  return /^[CDG]\w+$/.test(address) ? { kind: 'channel', channel: address } : undefined;
}
