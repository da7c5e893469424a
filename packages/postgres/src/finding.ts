/** The result of one check of a doctor: `bellhop server doctor`, `bellhop bouncer doctor`. */
export interface Finding {
  /** The name of the check, such as `database` or `mail`. */
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** Advice to the operator; absent if nothing has to be done. */
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
