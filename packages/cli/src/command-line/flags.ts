/** A flag that is off unless it is given. */
export const switchFlag = (brief: string) =>
  ({ kind: 'boolean', brief, default: false, withNegated: false }) as const;

/** A flag with a text, undefined unless it is given. */
export const textFlag = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;
