/** As many devices must be told the same before it counts for all. */
export const SEVERAL = 3;
/** Senders, by app, that are remembered. */
const MAX_SUBJECTS = 10_000;
/** Devices of a sender whose first refusal is remembered. */
const MAX_REFUSED = 1_000;

interface Acceptance {
  readonly device: string;
  readonly at: number;
}

interface Told {
  /** Devices that were refused since the latest acceptance; not more than `SEVERAL`. */
  readonly refused: Set<string>;
  /** When devices were refused for the first time since they were accepted. */
  readonly firstRefusals: Map<string, number>;
  /** The latest acceptance, and the latest of another device. Times are UNIX milliseconds. */
  latest: Acceptance | undefined;
  latestOther: Acceptance | undefined;
}

export interface Agreement {
  /** How many devices were refused since the latest acceptance, this one among them; SEVERAL at most. */
  readonly devices: number;
  /** When a notification for another device was accepted, UNIX milliseconds; undefined: not known. */
  readonly otherAcceptedAt: number | undefined;
  /** When this device was refused for the first time since it was accepted. */
  readonly refusedSince: number;
}

/**
 * What a provider has told single devices, by sender and app, as this node has seen it. A provider that
 * refuses one device may be right about it alone; several that agree speak of the sender.
 */
export class DeviceVerdicts {
  readonly #told = new Map<string, Told>();

  accepted(subject: string, device: string, at: number): void {
    const told = this.#of(subject);
    told.refused.clear();
    told.firstRefusals.delete(device);
    if (told.latest && told.latest.device !== device) told.latestOther = told.latest;
    told.latest = { device, at };
  }

  refused(subject: string, device: string, at: number): Agreement {
    const { refused, firstRefusals, latest, latestOther } = this.#of(subject);
    if (refused.size < SEVERAL) refused.add(device);
    const refusedSince = firstRefusals.get(device) ?? at;
    if (!firstRefusals.has(device)) setWithin(firstRefusals, MAX_REFUSED, [device, at]);
    const other = latest?.device === device ? latestOther : latest;
    return { devices: refused.size, otherAcceptedAt: other?.at, refusedSince };
  }

  #of(subject: string): Told {
    const known = this.#told.get(subject);
    if (known) return known;
    const told = {
      refused: new Set<string>(),
      firstRefusals: new Map<string, number>(),
      latest: undefined,
      latestOther: undefined,
    };
    setWithin(this.#told, MAX_SUBJECTS, [subject, told]);
    return told;
  }
}

/** Adds an entry; of more than `limit`, the oldest one goes. */
function setWithin<V>(map: Map<string, V>, limit: number, [key, value]: [string, V]): void {
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= limit) map.delete(oldest);
  map.set(key, value);
}
