import manifest from '../../package.json' with { type: 'json' };

/** The version of Rollcall. */
export const { version } = manifest;
