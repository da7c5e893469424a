/** The result of one check of the doctor. */
export interface Finding {
  /** What was checked, as `database` or `APNs: credentials`. */
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** What to do; only if there is something to do. */
  readonly fix?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail });
export const warning = (check: string, detail: string, fix: string): Finding => ({
  check,
  state: 'warning',
  detail,
  fix,
});
export const failed = (check: string, detail: string, fix: string): Finding => ({
  check,
  state: 'failed',
  detail,
  fix,
});
