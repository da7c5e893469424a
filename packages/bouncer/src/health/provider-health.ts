import type { TokenKind } from '@bellhop/protocol';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';

import type { NotificationVerdict, ProviderVerdict } from '../providers/provider-verdict.ts';
import type { BouncerTables, ProviderAlarm } from '../tables.ts';
import { ProviderAlarms } from './provider-alarms.ts';
import {
  claimDeletion,
  claimTrial,
  DEAD_ALLOWANCE,
  endPause,
  type HealthKey,
  type HealthRow,
  saveAcceptance,
  savePause,
  troubledRows,
} from './queries.ts';

interface ProviderHealthOptions {
  readonly kysely: Kysely<BouncerTables>;
  /** A hash of each provider's configuration. */
  readonly credentials: Readonly<Record<TokenKind, Buffer>>;
  readonly log: Pick<Logger, 'error' | 'info' | 'warn'>;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

/** An app of a provider: the app of an iPhone; '' for FCM, which has one for each configuration. */
export interface ProviderApp {
  readonly kind: TokenKind;
  readonly app: string;
}

/** Other nodes learn of a change after so long. */
const READ_EVERY_MS = 1_000;
/** Seconds of the first, second, ... pause of a provider that does not accept the configuration. */
const CONFIG_PAUSES = [10, 30, 60];
/** Seconds that the first, second, ... pause of an overloaded provider lasts at least. */
const OVERLOAD_PAUSES = [1, 60, 120, 240, 480];
/** Seconds until a notification whose token was called dead, but may not be deleted, is tried again. */
const DOUBTED_DELAYS = [60, 300, 900];
/** Credentials with which another app's notification was accepted within so long are not at fault. */
const PROOF_MS = 300_000;

const at = (delays: readonly number[], index: number) =>
  delays[Math.min(index, delays.length - 1)] ?? 60;

/**
 * Judges providers by all their verdicts, for all nodes and across restarts. Pauses an app whose
 * provider is overloaded or does not accept the configuration; after a pause, one notification tries
 * whether it is over. Allows few devices to be deleted while no notification is accepted: a bouncer
 * with the wrong environment, project or app would else delete every phone. Alarms the operator once.
 */
export class ProviderHealth {
  readonly #options: ProviderHealthOptions;
  readonly #alarms: ProviderAlarms;
  /** Rows with trouble, by `keyText`. */
  #rows = new Map<string, HealthRow>();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  readonly #pausing = new Map<string, Promise<HealthRow>>();
  readonly #recovering = new Map<string, Promise<void>>();
  /** Rows that this node wrote since it last began to read: what a read finds of them may be older. */
  readonly #written = new Set<string>();
  /** Notifications accepted during trouble that are not in the row yet. */
  readonly #accepted = new Map<string, number>();
  readonly #acceptedAt = new Map<TokenKind, { app: string; at: number }>();

  constructor(options: ProviderHealthOptions) {
    this.#options = options;
    this.#alarms = new ProviderAlarms(options);
  }

  /** The apps that are paused or have an alarm. */
  async troubled(): Promise<readonly HealthRow[]> {
    await this.#read();
    return [...this.#rows.values()];
  }

  /** Repeats the alarms that an earlier start raised. */
  async repeatAlarms(): Promise<void> {
    for (const { alarm, ...row } of await this.troubled())
      if (alarm) this.#alarms.repeat(row, alarm);
  }

  /** Undefined if a notification may be sent now, else the seconds to wait. */
  async wait(target: ProviderApp): Promise<number | undefined> {
    await this.#read();
    const row = this.#rows.get(keyText(target));
    if (!row?.paused_until) return undefined;
    const now = this.#options.now();
    const left = row.paused_until.getTime() - now;
    if (left > 0) return left / 1_000;
    const next = at(CONFIG_PAUSES, row.pauses);
    const times = { now: new Date(now), until: new Date(now + next * 1_000) };
    const claimed = await claimTrial(this.#options.kysely, this.#key(target), times);
    if (claimed) {
      this.#keep(target, claimed);
      return undefined;
    }
    this.#readAt = Number.NEGATIVE_INFINITY;
    return 1;
  }

  /** Learns from a provider's verdict on attempt number `attempt`. Returns the verdict that counts. */
  async learn(
    target: ProviderApp,
    verdict: ProviderVerdict,
    attempt: number,
  ): Promise<NotificationVerdict> {
    switch (verdict.kind) {
      case 'accepted':
        await this.#accept(target).catch((error: unknown) =>
          this.#options.log.warn({ err: error }, 'an accepted notification was not recorded'),
        );
        return verdict;
      case 'dead':
        await this.#endPause(target);
        return this.#mayDelete(target, verdict, attempt);
      case 'quarantined':
        await this.#endPause(target);
        return verdict;
      case 'overloaded': {
        const seconds = Math.max(verdict.after, at(OVERLOAD_PAUSES, this.#pausesOf(target)));
        return { ...verdict, kind: 'retry', after: await this.#pause(target, seconds) };
      }
      case 'config_error': {
        const after = await this.#pause(target, at(CONFIG_PAUSES, this.#pausesOf(target)));
        const alarm = verdict.at ?? 'credentials';
        if (!this.#isProven(target)) await this.#alarm(target, alarm, verdict.reason);
        return { kind: 'retry', reason: verdict.reason, after };
      }
      default:
        return verdict;
    }
  }

  async #mayDelete(
    target: ProviderApp,
    verdict: Extract<ProviderVerdict, { kind: 'dead' }>,
    attempt: number,
  ): Promise<NotificationVerdict> {
    const row = await claimDeletion(this.#options.kysely, this.#key(target));
    if (row) {
      this.#keep(target, row);
      return verdict;
    }
    await this.#alarm(target, 'dead_tokens', verdict.reason);
    const reason = `${verdict.reason}, doubted: the provider accepts no other notification`;
    return { kind: 'retry', reason, after: at(DOUBTED_DELAYS, attempt) };
  }

  /** How many pauses have followed each other without an accepted notification. */
  #pausesOf(target: ProviderApp): number {
    return this.#rows.get(keyText(target))?.pauses ?? 0;
  }

  /** Returns the seconds until the pause ends. */
  async #pause(target: ProviderApp, seconds: number): Promise<number> {
    const { kysely, now } = this.#options;
    const text = keyText(target);
    const known = this.#rows.get(text)?.paused_until?.getTime() ?? 0;
    const until = now() + seconds * 1_000;
    if (known < until - 1_000) {
      const times = { now: new Date(now()), until: new Date(until) };
      let pausing = this.#pausing.get(text);
      if (!pausing) {
        pausing = savePause(kysely, this.#key(target), times).finally(() =>
          this.#pausing.delete(text),
        );
        this.#pausing.set(text, pausing);
        this.#options.log.warn({ provider: target.kind, app: target.app, seconds }, 'paused');
      }
      this.#keep(target, await pausing);
    }
    const end = this.#rows.get(text)?.paused_until?.getTime() ?? until;
    return Math.max(1, (end - now()) / 1_000);
  }

  async #endPause(target: ProviderApp): Promise<void> {
    if (!this.#rows.get(keyText(target))?.paused_until) return;
    this.#keep(target, await endPause(this.#options.kysely, this.#key(target)));
  }

  /** Counts only during trouble: a notification accepted before it permits no deletion during it. */
  async #accept(target: ProviderApp): Promise<void> {
    const text = keyText(target);
    this.#acceptedAt.set(target.kind, { app: target.app, at: this.#options.now() });
    if (!this.#rows.has(text)) return;
    this.#accepted.set(text, (this.#accepted.get(text) ?? 0) + 1);
    let recovering = this.#recovering.get(text);
    if (!recovering) {
      recovering = this.#recover(target);
      this.#recovering.set(text, recovering);
    }
    await recovering;
  }

  /** Writes until no accepted notification is left to write. */
  async #recover(target: ProviderApp): Promise<void> {
    const text = keyText(target);
    try {
      for (let count; (count = this.#accepted.get(text)) !== undefined;) {
        this.#accepted.delete(text);
        const alarm = this.#rows.get(text)?.alarm;
        const row = await saveAcceptance(this.#options.kysely, this.#key(target), count);
        this.#keep(target, row);
        if (alarm && !row?.alarm) this.#alarms.ended(this.#key(target), alarm);
      }
    } finally {
      this.#accepted.delete(text);
      this.#recovering.delete(text);
    }
  }

  /** Whether the same credentials served another app a short time ago. */
  #isProven({ kind, app }: ProviderApp): boolean {
    const last = this.#acceptedAt.get(kind);
    return last !== undefined && last.app !== app && this.#options.now() - last.at < PROOF_MS;
  }

  async #alarm(target: ProviderApp, alarm: ProviderAlarm, reason: string): Promise<void> {
    const text = keyText(target);
    const known = this.#rows.get(text);
    if (known?.alarm === alarm) return;
    await this.#alarms.raise(this.#key(target), alarm, reason);
    if (known) this.#keep(target, { ...known, alarm });
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  #key({ kind, app }: ProviderApp): HealthKey {
    return { token_kind: kind, credentials: this.#options.credentials[kind], app };
  }

  #keep(target: ProviderApp, row: HealthRow | undefined): void {
    const isTroubled =
      row !== undefined &&
      (row.paused_until !== null || row.alarm !== null || row.dead_allowance < DEAD_ALLOWANCE);
    this.#written.add(keyText(target));
    if (isTroubled) this.#rows.set(keyText(target), row);
    else this.#rows.delete(keyText(target));
  }

  async #read(): Promise<void> {
    if (performance.now() - this.#readAt < READ_EVERY_MS) return;
    this.#reading ??= this.#readRows().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #readRows(): Promise<void> {
    const readAt = performance.now();
    this.#written.clear();
    const found = await troubledRows(this.#options.kysely, this.#options.credentials);
    const rows = new Map(
      found.map((row) => [keyText({ kind: row.token_kind, app: row.app }), row]),
    );
    for (const text of this.#written) {
      const row = this.#rows.get(text);
      if (row) rows.set(text, row);
      else rows.delete(text);
    }
    this.#rows = rows;
    this.#readAt = readAt;
  }
}

const keyText = ({ kind, app }: ProviderApp) => `${kind} ${app}`;
