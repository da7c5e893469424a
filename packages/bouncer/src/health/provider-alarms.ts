import type { TokenKind } from '@bellhop/protocol/bouncer';
import type { Logger } from 'pino';

import { providers } from '../providers/providers.ts';
import type { ProviderAlarm } from '../storage/tables.ts';

type Alarm = ProviderAlarm | 'dead_tokens';

/** The sender, environment and app that an alarm concerns. */
export interface AlarmSubject {
  readonly kind: TokenKind;
  readonly sender: string;
  /** '' for all apps of the sender. */
  readonly app: string;
}

/** Alarms about providers: errors in the log that say what the operator has to do. */
export class ProviderAlarms {
  readonly #log: Pick<Logger, 'error' | 'info'>;

  constructor(log: Pick<Logger, 'error' | 'info'>) {
    this.#log = log;
  }

  raised({ kind, sender, app }: AlarmSubject, alarm: Alarm, reason: string): void {
    this.#log.error({ provider: kind, sender, app, alarm, reason }, texts[alarm](kind));
  }

  ended({ kind, sender, app }: AlarmSubject, alarm: Alarm): void {
    const text = `${providers[kind].title} accepts notifications again`;
    this.#log.info({ provider: kind, sender, app, alarm }, text);
  }
}

/** The reason of an alarm that an earlier start raised. */
export const SINCE_EARLIER_START = 'since an earlier start';

const texts: Readonly<Record<Alarm, (kind: TokenKind) => string>> = {
  credentials: (kind) => {
    const { title, settings } = providers[kind];
    return `${title} does not accept the bouncer: notifications wait for a repair. Check the sender's credentials (${settings.credential} and the variables beside it, or the apps file)`;
  },
  clock: (kind) =>
    `${providers[kind].title} does not accept tokens that this machine dates: notifications wait. Set its clock`,
  dead_tokens: (kind) =>
    `${providers[kind].title} calls tokens dead that may be alive: their phones are kept, their notifications wait. Check that environment, project and app are those of the phones`,
};
