import type { Logger } from 'pino';

import type {
  NotificationVerdict,
  ProviderVerdict,
  RetryVerdict,
  SenderVerdict,
} from '../providers/provider-verdict.ts';
import { providers } from '../providers/providers.ts';
import type { Gateway } from '../providers/sender.ts';
import { sharedCalls } from '../storage/shared-calls.ts';
import type { ProviderAlarm } from '../storage/tables.ts';
import { DeviceVerdicts, SEVERAL } from './device-verdicts.ts';
import { isTroubled, type ProviderStates } from './provider-states.ts';
import { countLiving, keyText, type StateKey, type StateRow, transitions } from './transitions.ts';

interface ProviderHealthOptions {
  readonly states: ProviderStates;
  /** Called when a provider takes notifications again, for an app, or for all ('') of the sender. */
  readonly onRecovery: (gateway: Gateway, app: string) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

/** A gateway, for the notifications of one app. */
export interface GatewayApp {
  readonly gateway: Gateway;
  /** Null for a phone whose registration names no app. */
  readonly app: string | null;
}

/** The device that a request was for. */
export interface AskedDevice {
  /** The hash of its token. */
  readonly hash: string;
  /** The number of the attempt, from 0. */
  readonly attempt: number;
}

interface Pause {
  readonly key: StateKey;
  readonly seconds: number;
  readonly reason: string;
}
interface Alarm {
  readonly key: StateKey;
  readonly alarm: ProviderAlarm;
  readonly reason: string;
}

/** Seconds of the first, second, ... pause of a provider that does not accept the configuration. */
const CONFIG_PAUSES = [10, 30, 60];
/** Seconds that the first, second, ... pause of an overloaded provider lasts at least. */
const OVERLOAD_PAUSES = [1, 60, 120, 240, 480];
/**
 * Seconds that a device waits alone after its first, second, ... refusal of the credentials: longer than
 * the first pause, so that a device which was not refused tries whether the pause is over.
 */
const LONE_DELAYS = [20, 60];
/** Credentials are not doubted if another device was accepted with them within this time. */
const LATELY_MS = 60_000;
/** A device that was refused so often is at fault if others were accepted meanwhile. */
const LONE_ATTEMPTS = 3;
/**
 * Credentials with which another app's notification was accepted within this time are not at
 * fault.
 */
const PROOF_MS = 300_000;

const at = (delays: readonly number[], index: number) =>
  delays[Math.min(index, delays.length - 1)] ?? 60;

/**
 * Judges providers by all their verdicts, for all nodes and across restarts. A verdict on one device is
 * applied to this device until several devices are told the same. Pauses an app whose
 * provider is overloaded or does not accept the configuration; after a pause, one notification tries
 * whether it is over. Alarms the operator once.
 */
export class ProviderHealth {
  readonly #options: ProviderHealthOptions;
  readonly #states: ProviderStates;
  readonly #pausing = sharedCalls<unknown>();
  readonly #ending = sharedCalls<void>();
  /** Apps and times by the hash of the credentials. */
  readonly #acceptedAt = new Map<string, { app: string; at: number }>();
  readonly #told = new DeviceVerdicts();

  constructor(options: ProviderHealthOptions) {
    this.#options = options;
    this.#states = options.states;
  }

  /** Undefined if a notification may be sent now, else how long it waits. */
  async wait(target: GatewayApp): Promise<Wait | undefined> {
    await this.#states.fresh();
    // A notification that another node has woken comes before the end of its pause is read.
    if (this.#knowsPause(target)) await this.#states.again();
    for (const key of keysOf(target)) {
      const row = this.#troubleOf(key);
      const wait = row && (await this.#waitFor(target, key, row));
      if (wait) return wait;
    }
    return undefined;
  }

  /** Whether the app is paused now: also sees what another node wrote before the call. */
  async isPaused(target: GatewayApp): Promise<boolean> {
    await this.#states.again();
    return this.#knowsPause(target);
  }

  #knowsPause(target: GatewayApp): boolean {
    const ends = keysOf(target).map((key) => this.#troubleOf(key)?.paused_until?.getTime());
    return ends.some((end = 0) => end > this.#options.now());
  }

  /** The row of a pause or alarm. */
  #troubleOf(key: StateKey): StateRow | undefined {
    const row = this.#states.get(key);
    return row && isTroubled(row) ? row : undefined;
  }

  async #waitFor({ gateway }: GatewayApp, key: StateKey, row: StateRow): Promise<Wait | undefined> {
    if (!row.paused_until) return undefined;
    const cause = row.alarm === null ? undefined : 'broken';
    const now = this.#options.now();
    const left = row.paused_until.getTime() - now;
    if (left > 0) return { seconds: left / 1_000, cause };
    const next = at(CONFIG_PAUSES, row.pauses);
    const times = { now: new Date(now), until: new Date(now + next * 1_000) };
    const subject = { ...gateway, app: key.app };
    if (await this.#states.change({ key, subject, transition: transitions.trial(times) }))
      return undefined;
    this.#states.outdate();
    return { seconds: 1, cause };
  }

  /**
   * Learns from a provider's verdict on a notification, or, without a device, on a check of the
   * credentials. Returns the verdict that counts for the notification.
   */
  async learn(
    target: GatewayApp,
    told: ProviderVerdict,
    device?: AskedDevice,
  ): Promise<NotificationVerdict> {
    const verdict = ofListedApp(target, told);
    switch (verdict.kind) {
      case 'accepted':
        this.#proves(target);
        await this.#worked(target, device);
        return verdict;
      case 'dead':
      case 'quarantined':
        if (!providers[target.gateway.kind].bindsDevicesToKey) await this.#worked(target, device);
        return verdict;
      case 'overloaded':
      case 'config_error':
        return device && verdict.isAboutAll !== true
          ? this.#judgeOne(target, verdict, device)
          : this.#judgeAll(target, verdict);
      default:
        return verdict;
    }
  }

  /** The provider took the credentials. */
  async #worked(target: GatewayApp, device: AskedDevice | undefined): Promise<void> {
    for (const key of keysOf(target))
      this.#told.accepted(keyText(key), device?.hash ?? '', this.#options.now());
    await this.#endTrouble(target);
  }

  /** Applies a verdict to the device that it was told, and to all if several devices agree. */
  async #judgeOne(
    target: GatewayApp,
    verdict: SenderVerdict,
    { hash, attempt }: AskedDevice,
  ): Promise<NotificationVerdict> {
    const { reason } = verdict;
    const key = this.#scopeOf(target);
    const told = this.#told.refused(keyText(key), hash, this.#options.now());
    const { devices, otherAcceptedAt = -Infinity, refusedSince } = told;
    const isAgreed = devices >= SEVERAL;
    if (verdict.kind === 'overloaded')
      return isAgreed
        ? this.#judgeAll(target, verdict)
        : { kind: 'retry', reason, after: verdict.after };
    const alone = {
      kind: 'retry',
      reason,
      after: at(LONE_DELAYS, attempt),
      cause: 'broken',
    } as const;
    const isAcceptedLately = this.#options.now() - otherAcceptedAt < LATELY_MS;
    if (isAgreed && !isAcceptedLately) {
      const paused = await this.#judgeAll(target, verdict);
      return { ...paused, after: Math.max(paused.after, alone.after) };
    }
    const isBound = isAcceptedLately && providers[target.gateway.kind].bindsDevicesToKey;
    const isRefusedOften = otherAcceptedAt >= refusedSince && attempt + 1 >= LONE_ATTEMPTS;
    if (!isAgreed && (isBound || isRefusedOften))
      return { kind: 'quarantined', reason, isMismatch: true };
    if (!isAcceptedLately && !this.#isProven(target) && (await this.#areAll(target, devices)))
      await this.#alarm(target, { key, alarm: verdict.at ?? 'credentials', reason });
    return alone;
  }

  /** Whether those that the provider judges alike are no more devices than these. */
  async #areAll({ gateway, app }: GatewayApp, devices: number): Promise<boolean> {
    const { kind: token_kind, apps: listed } = gateway;
    const all = listed && [...listed, ''];
    const apps = providers[token_kind].judgesByApp ? [app ?? ''] : all;
    return devices >= (await countLiving(this.#states.kysely, { token_kind, apps }, SEVERAL));
  }

  /** Pauses the app, and alarms the operator if the configuration is at fault. */
  async #judgeAll(target: GatewayApp, verdict: SenderVerdict): Promise<RetryVerdict> {
    const { reason } = verdict;
    const key = this.#scopeOf(target);
    const pause = target.gateway.environment;
    if (verdict.kind === 'overloaded') {
      const seconds = Math.max(verdict.after, at(OVERLOAD_PAUSES, this.#pausesOf(key)));
      return {
        kind: 'retry',
        reason,
        pause,
        after: await this.#pause(target, { key, seconds, reason }),
      };
    }
    const seconds = at(CONFIG_PAUSES, this.#pausesOf(key));
    const after = await this.#pause(target, { key, seconds, reason });
    const isBroken = !this.#isProven(target);
    if (isBroken) await this.#alarm(target, { key, alarm: verdict.at ?? 'credentials', reason });
    return { kind: 'retry', reason, after, cause: isBroken ? 'broken' : undefined, pause };
  }

  /**
   * The apps that a refusal concerns: all apps of the sender if its credentials are refused, else
   * one app.
   */
  #scopeOf(target: GatewayApp): StateKey {
    const [whole, own = whole] = keysOf(target);
    return this.#troubleOf(whole) ? whole : own;
  }

  /** How many pauses have followed each other without an accepted notification. */
  #pausesOf(key: StateKey): number {
    return this.#troubleOf(key)?.pauses ?? 0;
  }

  /** Returns the seconds until the pause ends. */
  async #pause({ gateway }: GatewayApp, { key, seconds, reason }: Pause): Promise<number> {
    const { now, log } = this.#options;
    const known = this.#troubleOf(key)?.paused_until?.getTime() ?? 0;
    const until = now() + seconds * 1_000;
    if (known < until - 1_000) {
      const pause = { now: new Date(now()), until: new Date(until), reason };
      await this.#pausing(keyText(key), () => {
        const { kind: provider, sender, environment } = gateway;
        log.warn({ provider, sender, environment, app: key.app, seconds, reason }, 'paused');
        const subject = { ...gateway, app: key.app };
        return this.#states.change({ key, subject, transition: transitions.pause(pause) });
      });
    }
    const end = this.#troubleOf(key)?.paused_until?.getTime() ?? until;
    return Math.max(1, (end - now()) / 1_000);
  }

  /** Ends pause and alarm. A failure to write leaves them for the next notification. */
  async #endTrouble(target: GatewayApp): Promise<void> {
    for (const key of keysOf(target)) {
      if (!this.#troubleOf(key)) continue;
      const ending = this.#ending(keyText(key), () => this.#recover(target, key));
      await ending.catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'the end of a pause was not recorded'),
      );
    }
  }

  async #recover({ gateway }: GatewayApp, key: StateKey): Promise<void> {
    const subject = { ...gateway, app: key.app };
    await this.#states.change({ key, subject, transition: transitions.recovery() });
    await this.#options.onRecovery(gateway, key.app);
  }

  #proves({ gateway, app }: GatewayApp): void {
    if (app === null) return;
    const hash = gateway.credentials.toString('base64');
    this.#acceptedAt.set(hash, { app, at: this.#options.now() });
  }

  /** Whether the same credentials served another app a short time ago. */
  #isProven({ gateway, app }: GatewayApp): boolean {
    const last = this.#acceptedAt.get(gateway.credentials.toString('base64'));
    if (!last || !providers[gateway.kind].judgesByApp || last.app === app) return false;
    if (isListed(gateway, app)) return false;
    return this.#options.now() - last.at < PROOF_MS;
  }

  async #alarm({ gateway }: GatewayApp, { key, alarm, reason }: Alarm): Promise<void> {
    if (this.#troubleOf(key)?.alarm === alarm) return;
    const subject = { ...gateway, app: key.app };
    const transition = transitions.alarm(alarm, reason);
    await this.#states.change({ key, subject, transition, reason });
    this.#states.outdate();
  }
}

/** `broken`: until the operator has mended credentials or clock. */
interface Wait {
  readonly seconds: number;
  readonly cause: 'broken' | undefined;
}

/**
 * A provider that refuses an app which the operator listed does not accept the configuration. An
 * app that only a phone has named may belong to nobody.
 */
function ofListedApp({ gateway, app }: GatewayApp, verdict: ProviderVerdict): ProviderVerdict {
  const isRefused =
    verdict.kind === 'quarantined' && !verdict.isMismatch && providers[gateway.kind].judgesByApp;
  return isRefused && isListed(gateway, app)
    ? { kind: 'config_error', reason: verdict.reason }
    : verdict;
}

const isListed = ({ apps }: Gateway, app: string | null) =>
  app !== null && (apps?.includes(app) ?? false);

/** All apps of the sender, and, if the provider judges by app, this one. */
const keysOf = ({ gateway, app }: GatewayApp): [StateKey, ...StateKey[]] => {
  const whole = { token_kind: gateway.kind, credentials: gateway.credentials, app: '' };
  return app !== null && providers[gateway.kind].judgesByApp ? [whole, { ...whole, app }] : [whole];
};
