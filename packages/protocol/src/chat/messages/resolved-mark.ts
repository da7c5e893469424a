/** Opens a resolved topic. */
export const RESOLVED_MARK = '\u2714 ';
