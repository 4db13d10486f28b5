/** True for the address of a PostgreSQL database, as opposed to the path of an SQLite file. */
export function isPostgresUrl(location: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(location);
}

/** How messages name a database: the path of a file, or `rollcall on db.example.com`, without user and password. */
export function databaseName(location: string): string {
  if (!isPostgresUrl(location)) return location;
  const { hostname, pathname } = new URL(location);
  return `${decodeURIComponent(pathname.slice(1))} on ${hostname}`;
}

/** The format of `RECORD_KEY`: 32 bytes in hexadecimal digits. */
export const recordKeyFormat = /^[0-9a-f]{64}$/i;
