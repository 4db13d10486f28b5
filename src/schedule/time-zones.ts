/** Renamed zones that platforms still list under the old name. */
const renamed: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Africa/Asmera': 'Africa/Asmara',
    'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
    'America/Catamarca': 'America/Argentina/Catamarca',
    'America/Coral_Harbour': 'America/Atikokan',
    'America/Cordoba': 'America/Argentina/Cordoba',
    'America/Godthab': 'America/Nuuk',
    'America/Indianapolis': 'America/Indiana/Indianapolis',
    'America/Jujuy': 'America/Argentina/Jujuy',
    'America/Louisville': 'America/Kentucky/Louisville',
    'America/Mendoza': 'America/Argentina/Mendoza',
    'Asia/Calcutta': 'Asia/Kolkata',
    'Asia/Katmandu': 'Asia/Kathmandu',
    'Asia/Rangoon': 'Asia/Yangon',
    'Asia/Saigon': 'Asia/Ho_Chi_Minh',
    'Atlantic/Faeroe': 'Atlantic/Faroe',
    'Europe/Kiev': 'Europe/Kyiv',
    'Pacific/Enderbury': 'Pacific/Kanton',
    'Pacific/Ponape': 'Pacific/Pohnpei',
    'Pacific/Truk': 'Pacific/Chuuk',
  }),
);

/** All available zones by their current names, sorted. */
export const zoneNames: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf('timeZone').map((name) => renamed.get(name) ?? name), 'UTC']),
].sort();

/** IANA names without an area. Other short names may be ambiguous: the platform reads BST as Dhaka. */
const namesWithoutArea: ReadonlySet<string> = new Set(
  `utc uct gmt gmt0 gmt+0 gmt-0 greenwich universal zulu cet met eet wet est mst hst est5edt cst6cdt mst7mdt pst8pdt
  cuba egypt eire gb gb-eire hongkong iceland iran israel jamaica japan kwajalein libya navajo nz nz-chat poland
  portugal prc roc rok singapore turkey w-su`.split(/\s+/),
);

/** Names that people recognize, so they are not replaced: the platform turns EST into Panama. */
const recognizedNames: ReadonlySet<string> = new Set(
  'CET MET EET WET EST MST HST EST5EDT CST6CDT MST7MDT PST8PDT'.split(' '),
);

/** Zones with standard time all year, and the zones with daylight saving time that people often mean instead. */
export const zonesWithoutDaylightSaving: ReadonlyMap<string, string> = new Map([
  ['EST', 'America/New_York'],
  ['MST', 'America/Denver'],
]);

/**
 * Finds an IANA zone by any of its names, ignoring case. Returns its current name, or the recognized short name;
 * undefined if there is no such zone.
 */
export function findZone(typed: string): string | undefined {
  const hasArea = /^(?!SystemV)[a-z][\w+-]{1,20}(?:\/[\w+-]{1,30}){1,2}$/i.test(typed);
  if (!hasArea && !namesWithoutArea.has(typed.toLowerCase())) return undefined;
  try {
    const own = typed.toUpperCase();
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: typed }).resolvedOptions();
    return recognizedNames.has(own) ? own : (renamed.get(timeZone) ?? timeZone);
  } catch {
    return undefined;
  }
}
