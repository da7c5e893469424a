import type { TokenKind } from '@bellhop/protocol/bouncer';
import { type Kysely, sql } from 'kysely';

import type { BouncerConfig } from '../config/bouncer-config.ts';
import { ProviderHealth } from '../health/provider-health.ts';
import { ProviderStates } from '../health/provider-states.ts';
import { SenderChecks } from '../health/sender-checks.ts';
import { Senders } from '../providers/senders.ts';
import type { BouncerTables } from '../storage/tables.ts';
import type { Operator } from './operator.ts';
import { type SenderState, senderStates } from './sender-states.ts';

/** An app that is configured or that devices have. */
export interface AppSummary {
  readonly provider: TokenKind;
  /** Null for devices whose registration names no app. */
  readonly app: string | null;
  /** The sender with credentials for the app; null if there is none. */
  readonly sender: string | null;
  /** `ok`: no trouble is known. Else as in `/readyz`, or `unconfigured`. */
  readonly state: 'ok' | 'unconfigured' | 'paused' | 'broken' | 'doubted';
  readonly reason: string | null;
  /** The number of living devices. */
  readonly devices: number;
  readonly quarantined: number;
  readonly dead: number;
}

const silent = { error: () => {}, info: () => {}, warn: () => {} };

/** The apps of the configuration and of the devices, with their state at the running bouncers. */
export async function listApps(
  { database: { kysely }, now }: Operator,
  config: Pick<BouncerConfig, 'senders' | 'providerCa' | 'proxies'>,
): Promise<AppSummary[]> {
  const senders = new Senders({ log: silent, now });
  senders.use(config);
  try {
    const states = await statesOf(kysely, senders, now);
    const counts = await countDevices(kysely, new Date(now()));
    return appsOf(senders, counts).map(({ provider, app }) => {
      const sender = senders.find(provider, app);
      const trouble = states.find(
        (one) =>
          one.provider === provider &&
          one.sender === sender?.name &&
          (one.app === null || one.app === (app ?? '')),
      );
      const known = counts.find((row) => row.provider === provider && row.app === app);
      return {
        provider,
        app,
        sender: sender?.name ?? null,
        state: sender ? (trouble?.state ?? 'ok') : 'unconfigured',
        reason: trouble?.reason ?? null,
        devices: known?.devices ?? 0,
        quarantined: known?.quarantined ?? 0,
        dead: known?.dead ?? 0,
      };
    });
  } finally {
    senders.close();
  }
}

type Trouble = SenderState & { readonly state: 'paused' | 'broken' | 'doubted' };
const isTrouble = (one: SenderState): one is Trouble =>
  one.state === 'paused' || one.state === 'broken' || one.state === 'doubted';

async function statesOf(
  kysely: Kysely<BouncerTables>,
  senders: Senders,
  now: () => number,
): Promise<Trouble[]> {
  const all = () => senders.all();
  const states = new ProviderStates({ kysely, senders: all, log: silent });
  const health = new ProviderHealth({ states, onRecovery: async () => {}, log: silent, now });
  const checks = new SenderChecks({ senders: all, health, log: silent, now });
  return (await senderStates({ senders, states, checks })).filter(isTrouble);
}

interface DeviceCount extends Pick<AppSummary, 'devices' | 'quarantined' | 'dead'> {
  readonly provider: TokenKind;
  readonly app: string | null;
}

async function countDevices(kysely: Kysely<BouncerTables>, at: Date): Promise<DeviceCount[]> {
  const { rows } = await sql<DeviceCount>`
    select token_kind as provider, coalesce(ios_app_id, android_app_id) as app,
      count(*) filter (where expired_at is null) as devices,
      count(*) filter (where expired_at is null and quarantined_until > ${at}) as quarantined,
      count(*) filter (where expired_at is not null) as dead
    from device group by 1, 2 order by 1, 2`.execute(kysely);
  return rows;
}

/** Every app once: those that the operator listed, then those that only devices name. */
function appsOf(senders: Senders, counts: readonly DeviceCount[]) {
  const listed = senders
    .all()
    .flatMap(({ kind, apps }) =>
      (apps ?? []).map((app): Pick<AppSummary, 'provider' | 'app'> => ({ provider: kind, app })),
    );
  const isListed = ({ provider, app }: DeviceCount) =>
    listed.some((one) => one.provider === provider && one.app === app);
  return [...listed, ...counts.filter((count) => !isListed(count))];
}
