import { terminalLine } from '../command-line/terminal-text.ts';

/** The services that a push passes, in their order; `link`: the bouncer's connection to the provider. */
export const hops = ['server', 'bouncer', 'link', 'provider', 'phone'] as const;
export type Hop = (typeof hops)[number];

/** What one service did for a push. */
export interface TraceLine {
  /** UNIX milliseconds, by the clock of the service. */
  readonly ms: number;
  readonly hop: Hop;
  readonly text: string;
}

/** `09:14:03.120  bouncer   text`. */
export const lineText = ({ ms, hop, text }: TraceLine): string =>
  `${new Date(ms).toISOString().slice(11, 23)}  ${hop.padEnd(8)}  ${terminalLine(text)}`;

/** By time; of what happened in one millisecond, the earlier service first. */
export const inOrder = (lines: readonly TraceLine[]): TraceLine[] =>
  lines.toSorted((a, b) => a.ms - b.ms || hops.indexOf(a.hop) - hops.indexOf(b.hop));
