const allowed = new Set(['http:', 'https:', 'mailto:', 'tel:', 'slack:']);

/** The address when it is one that a click may follow; undefined for anything else, `javascript:` among them. */
export function safeUrl(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return undefined;
  try {
    return allowed.has(new URL(text).protocol) ? text : undefined;
  } catch {
    return undefined;
  }
}
