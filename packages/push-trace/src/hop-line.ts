/** The services that a push passes, in their order; `link`: the bouncer's connection to the provider. */
export const hops = ['server', 'bouncer', 'link', 'provider', 'phone'] as const;
export type Hop = (typeof hops)[number];

/** A line about the part of one service in a push. */
export interface HopLine {
  /** UNIX milliseconds, by the clock of the service. */
  readonly ms: number;
  readonly hop: Hop;
  readonly text: string;
}

/** Lines ordered by time, and within a millisecond by the order of the services. */
export const inOrder = (lines: readonly HopLine[]): HopLine[] =>
  lines.toSorted((a, b) => a.ms - b.ms || hops.indexOf(a.hop) - hops.indexOf(b.hop));
