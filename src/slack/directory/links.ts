/**
 * A message's permalink, in the format that Slack uses. Undefined if Slack did not say where the workspace is.
 *
 * @param thread the `ts` of the first message of its thread, for a reply
 */
export function permalinkOf(
  workspaceUrl: string,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  thread?: string,
): string | undefined {
  if (workspaceUrl === '' || ts === '') return undefined;
  const link = `${workspaceUrl.replace(/\/?$/, '/')}archives/${channel}/p${ts.replace('.', '')}`;
  return thread === undefined ? link : `${link}?thread_ts=${thread}&cid=${channel}`;
}
