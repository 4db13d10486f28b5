import type { ReceiverEvent } from '@slack/bolt';

/** What Slack says about itself around what it delivers. */
interface Around {
  readonly team_id?: unknown;
  readonly team?: unknown;
  readonly user?: unknown;
  readonly view?: unknown;
  readonly event_id?: unknown;
  readonly authorizations?: unknown;
}

/** What a receiver adds to an event, for telling one delivery from another. */
export interface DeliveryMarks {
  /** Socket Mode: the same for each delivery of one envelope. */
  readonly envelopeId?: string;
  /** HTTP: the same only for the very same request. */
  readonly signature?: string;
}

/** What tells one delivery from another. */
export interface DeliveryKey {
  /** Equal for two deliveries of one thing. */
  readonly key: string;
  /** False where Slack itself never delivers twice, and only something on the way may. */
  readonly mayBeRepeated: boolean;
}

/** Undefined where nothing tells. */
export function deliveryKey({ body, customProperties }: ReceiverEvent): DeliveryKey | undefined {
  const { event_id: eventId } = body as Around;
  if (typeof eventId === 'string') return { key: `event ${eventId}`, mayBeRepeated: true };
  const { envelopeId, signature } = (customProperties ?? {}) as DeliveryMarks;
  if (envelopeId !== undefined) return { key: `envelope ${envelopeId}`, mayBeRepeated: true };
  return signature === undefined ? undefined : { key: `request ${signature}`, mayBeRepeated: false };
}

/** True when something comes from another workspace than ours. What names no workspace is taken for ours. */
export function isFromAnotherTeam(body: Around, teamId: string): boolean {
  const teams = teamsOf(body);
  return teams.length > 0 && !teams.includes(teamId);
}

function teamsOf(body: Around): readonly string[] {
  // An event in a channel shared with another organization names the workspaces that it is meant for.
  if (Array.isArray(body.authorizations) && body.authorizations.length > 0) {
    return body.authorizations.flatMap((entry) => textIn(entry, 'team_id'));
  }
  if (typeof body.team_id === 'string') return [body.team_id];
  // A view that was opened from within a shared channel names the workspace where the app is installed.
  const [installed] = textIn(body.view, 'app_installed_team_id');
  if (installed !== undefined) return [installed];
  const [team] = textIn(body.team, 'id');
  return team === undefined ? textIn(body.user, 'team_id') : [team];
}

function textIn(value: unknown, member: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const text: unknown = Reflect.get(value, member);
  return typeof text === 'string' && text !== '' ? [text] : [];
}
