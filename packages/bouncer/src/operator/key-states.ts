import type { keyUses, StoredKey } from '../keys/queries.ts';

export interface KeyState {
  readonly public_key: string;
  readonly state: 'newest' | 'older' | 'retired';
  /**
   * The place of the private key; `environment`: in BELLHOP_BOUNCER_KEYS, also of a retired key; `unknown`:
   * in the configuration of the bouncer, which this command cannot read.
   */
  readonly kept_in: 'database' | 'environment' | 'nowhere' | 'unknown';
  readonly created_at: Date | null;
  /** Living devices whose latest registration was encrypted with it. */
  readonly devices: number;
  readonly last_registration: Date | null;
  readonly can_retire: boolean;
  /** Why it can be retired, or not. */
  readonly verdict: string;
}

/** Describes every key: stored, of the environment, or known only by its devices. The newest first. */
export function keyStates(
  stored: readonly StoredKey[],
  fromEnvironment: readonly string[],
  uses: Awaited<ReturnType<typeof keyUses>>,
): KeyState[] {
  const rows = new Map(stored.map((row) => [row.public_key, row]));
  const usesOf = new Map(uses.map((use) => [use.public_key, use]));
  const publicKeys = [
    ...new Set([
      ...[...usesOf.keys()].filter((key) => !rows.has(key) && !fromEnvironment.includes(key)),
      ...fromEnvironment.filter((key) => !rows.has(key)),
      ...rows.keys(),
    ]),
  ].toReversed();
  const newest = publicKeys.find((key) => !rows.get(key)?.retired_at);
  return publicKeys.map((public_key) => {
    const row = rows.get(public_key);
    const use = usesOf.get(public_key);
    const state = row?.retired_at ? 'retired' : public_key === newest ? 'newest' : 'older';
    const isConfigured = fromEnvironment.includes(public_key);
    const elsewhere = isConfigured ? 'environment' : row ? 'nowhere' : 'unknown';
    const last_registration = use ? new Date(use.last_registration) : null;
    const devices = use?.devices ?? 0;
    return {
      public_key,
      state,
      kept_in: row && !row.retired_at ? 'database' : elsewhere,
      created_at: row?.created_at ?? null,
      devices,
      last_registration,
      ...verdictOf({ state, devices, last_registration, isConfigured, row }),
    };
  });
}

interface Facts extends Pick<KeyState, 'state' | 'devices' | 'last_registration'> {
  /** Whether BELLHOP_BOUNCER_KEYS has it. */
  readonly isConfigured: boolean;
  readonly row: StoredKey | undefined;
}

const dayOf = (at: Date | null | undefined) => at?.toISOString().slice(0, 10) ?? '';

function verdictOf({ state, devices, last_registration, isConfigured, row }: Facts) {
  if (state === 'retired') {
    const verdict = `retired on ${dayOf(row?.retired_at)}${isConfigured ? '; take it out of BELLHOP_BOUNCER_KEYS' : ''}`;
    return { can_retire: false, verdict };
  }
  if (state === 'newest')
    return { can_retire: false, verdict: 'the newest key: ship it with the apps' };
  if (devices === 0) return { can_retire: true, verdict: 'no living device registered with it' };
  const who = devices === 1 ? '1 living device' : `${devices} living devices`;
  return {
    can_retire: false,
    verdict: `${who} registered with it, the latest on ${dayOf(last_registration)}`,
  };
}
