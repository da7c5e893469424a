import type { TokenKind } from '@bellhop/protocol';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';

import { providers } from '../providers/providers.ts';
import type { BouncerTables, ProviderAlarm } from '../tables.ts';
import { DEAD_ALLOWANCE, type HealthKey, saveAlarm } from './queries.ts';

interface ProviderAlarmsOptions {
  readonly kysely: Kysely<BouncerTables>;
  readonly log: Pick<Logger, 'error' | 'info'>;
}

/** What the operator has to do about a provider, as errors in the log. */
export class ProviderAlarms {
  readonly #options: ProviderAlarmsOptions;

  constructor(options: ProviderAlarmsOptions) {
    this.#options = options;
  }

  /** Logs the alarm unless a node has logged it for this configuration and app. */
  async raise(key: HealthKey, alarm: ProviderAlarm, reason: string): Promise<void> {
    if (await saveAlarm(this.#options.kysely, key, alarm)) this.#log(key, alarm, reason);
  }

  /** Logs an alarm that an earlier start raised. */
  repeat(key: HealthKey, alarm: ProviderAlarm): void {
    this.#log(key, alarm, 'since an earlier start');
  }

  ended({ token_kind: provider, app }: HealthKey, alarm: ProviderAlarm): void {
    const text = `${providers[provider].title} accepts notifications again`;
    this.#options.log.info({ provider, app, alarm }, text);
  }

  #log({ token_kind: provider, app }: HealthKey, alarm: ProviderAlarm, reason: string): void {
    this.#options.log.error({ provider, app, alarm, reason }, texts[alarm](provider));
  }
}

const texts: Readonly<Record<ProviderAlarm, (kind: TokenKind) => string>> = {
  credentials: (kind) => {
    const { title, credential } = providers[kind];
    return `${title} does not accept the bouncer: notifications wait for a repair. Check ${credential} and the variables beside it`;
  },
  clock: (kind) =>
    `${providers[kind].title} does not accept tokens that this machine dates: notifications wait. Set its clock`,
  dead_tokens: (kind) =>
    `${providers[kind].title} calls the tokens of more than ${DEAD_ALLOWANCE} phones invalid and accepts none: no more phones are deleted. Check that URL, project and app are those of the phones`,
};
