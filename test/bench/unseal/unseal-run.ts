/** Registrations of one round; processor time in microseconds per registration. */
export interface UnsealRun {
  readonly perSecond: number;
  readonly p99: number;
  readonly bouncerTime: number;
  readonly postgresTime: number;
}
