/** The services that a push passes, in their order; `link`: the bouncer's connection to the provider. */
export const hops = ['server', 'bouncer', 'link', 'provider', 'phone'] as const;
export type Hop = (typeof hops)[number];

/** What one service did for a push. */
export interface HopLine {
  /** UNIX milliseconds, by the clock of the service. */
  readonly ms: number;
  readonly hop: Hop;
  readonly text: string;
}

/** By time; of what happened in one millisecond, the earlier service first. */
export const inOrder = (lines: readonly HopLine[]): HopLine[] =>
  lines.toSorted((a, b) => a.ms - b.ms || hops.indexOf(a.hop) - hops.indexOf(b.hop));
