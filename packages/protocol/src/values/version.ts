/** The feature level of this server (spec, Versioning). */
export const FEATURE_LEVEL = 420;
export const VERSION = '11.0-bellhop';
