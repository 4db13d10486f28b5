/** Zones that were renamed, which platforms still list under the older name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);

/** Every zone that can be chosen, by its name of today, in the alphabet's order. */
export const zoneNames: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf('timeZone').map((name) => renamed.get(name) ?? name), 'UTC']),
].sort();

/**
 * The names without an area in IANA's list. The platform takes others too, which mean different places to different
 * people: BST is Dhaka to it.
 */
const namesWithoutArea: ReadonlySet<string> = new Set(
  `utc uct gmt gmt0 gmt+0 gmt-0 greenwich universal zulu cet met eet wet est mst hst est5edt cst6cdt mst7mdt pst8pdt
  cuba egypt eire gb gb-eire hongkong iceland iran israel jamaica japan kwajalein libya navajo nz nz-chat poland
  portugal prc roc rok singapore turkey w-su`.split(/\s+/),
);

/** Those of them that people know by just that name: Panama, whose clocks EST shares, would puzzle who wrote EST. */
const namesToKeep: ReadonlySet<string> = new Set(
  'CET MET EET WET EST MST HST EST5EDT CST6CDT MST7MDT PST8PDT'.split(' '),
);

/** Zones that have winter time all year, by name, with the ones whose clocks change that many people mean by them. */
export const zonesWithoutDaylightSaving: ReadonlyMap<string, string> = new Map([
  ['EST', 'America/New_York'],
  ['MST', 'America/Denver'],
]);

/**
 * An IANA zone by any of its names, in any case, under its name of today, or under its own where that says more;
 * undefined: there is no such zone.
 */
export function findZone(typed: string): string | undefined {
  const hasArea = /^(?!SystemV)[a-z][\w+-]{1,20}(?:\/[\w+-]{1,30}){1,2}$/i.test(typed);
  if (!hasArea && !namesWithoutArea.has(typed.toLowerCase())) return undefined;
  try {
    const own = typed.toUpperCase();
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: typed }).resolvedOptions();
    return namesToKeep.has(own) ? own : (renamed.get(timeZone) ?? timeZone);
  } catch {
    return undefined;
  }
}
