import type { PushGeneration } from '@bellhop/protocol';

/** `warning`: not required by the protocol, but phones are better off. `skipped`: could not be checked. */
export type Severity = 'ok' | 'warning' | 'fault' | 'skipped';

/** The result of one check. */
export interface Finding {
  readonly group: string;
  readonly check: string;
  /** Heading of docs/push/protocol.md that states the rule. */
  readonly section: Section;
  readonly severity: Severity;
  /** A description of what the service did. */
  readonly happened: string;
}

export interface RunOptions {
  /** The generation of the protocol that is checked; if left out, each that the service has. */
  readonly generation?: PushGeneration;
  /** Called with each finding at once. */
  readonly onFinding?: (finding: Finding) => void;
  readonly signal?: AbortSignal;
}

/** The headings of docs/push/protocol.md that checks name. */
export const sections = [
  'Registration',
  'What is in the box',
  'State and events',
  'The notification',
  'What is in encrypted_data',
  'Sizes',
  'Life of a device',
  'Test notification',
  'Chat server and bouncer',
  'Registration at the bouncer',
  'Sending',
  'Browsers',
  'Registration of a device',
  'State and events of a device',
  'Notifications to a device',
  'End of a device',
  'Token IDs at the bouncer',
  'Which to choose',
  'Errors',
] as const;
export type Section = (typeof sections)[number];
