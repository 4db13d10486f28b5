/** `service`: the Reporting Service. `slack`: the bot's own access to Slack. */
export type OutageCause = 'service' | 'slack';

/** A period in which no digest could run. */
export interface Outage {
  readonly id: string;
  readonly cause: OutageCause;
  /** The code of the first failure. */
  readonly code: string;
  /** The first failure, in words for people. */
  readonly reason?: string;
  readonly since: number;
}

export interface BegunOutage {
  readonly outage: Outage;
  /** `open`: it was open already. `reopened`: it had ended a few minutes ago. */
  readonly state: 'new' | 'open' | 'reopened';
}
