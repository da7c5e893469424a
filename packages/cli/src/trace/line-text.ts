import type { HopLine } from '@bellhop/push-trace';

import { terminalLine } from '../command-line/terminal-text.ts';

/** `09:14:03.120  bouncer   text`. */
export const lineText = ({ ms, hop, text }: HopLine): string =>
  `${new Date(ms).toISOString().slice(11, 23)}  ${hop.padEnd(8)}  ${terminalLine(text)}`;
