/** The feature level of the specification (Versioning): `svc_feature_level`. */
export const FEATURE_LEVEL = 420;
/**
 * The feature level of the public API that this server has, and announces as `zulip_feature_level`
 * unless its operator lowers it: clients of the public API choose by it what they ask for.
 */
export const PUBLIC_FEATURE_LEVEL = 470;
export const VERSION = '11.0-bellhop';

/** The last feature level of the public releases 11. */
const LAST_LEVEL_OF_11 = 424;

/** The public release that a feature level belongs to, with our name. */
export const publicVersion = (level: number): string =>
  level > LAST_LEVEL_OF_11 ? '12.0-bellhop' : VERSION;
