/** As many devices must be told the same before it counts for all. */
export const SEVERAL = 3;
/** Senders, by app, that are remembered. */
const MAX_SUBJECTS = 10_000;

interface Acceptance {
  readonly device: string;
  readonly at: number;
}

interface Told {
  /** Devices that were refused since the latest acceptance; not more than `SEVERAL`. */
  readonly refused: Set<string>;
  /** The latest acceptance, and the latest of another device. Times are UNIX milliseconds. */
  latest: Acceptance | undefined;
  latestOther: Acceptance | undefined;
}

export interface Agreement {
  /** How many devices were refused since the latest acceptance, this one among them; SEVERAL at most. */
  readonly devices: number;
  /** When a notification for another device was accepted, UNIX milliseconds; undefined: not known. */
  readonly otherAcceptedAt: number | undefined;
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
    if (told.latest && told.latest.device !== device) told.latestOther = told.latest;
    told.latest = { device, at };
  }

  refused(subject: string, device: string): Agreement {
    const { refused, latest, latestOther } = this.#of(subject);
    if (refused.size < SEVERAL) refused.add(device);
    const other = latest?.device === device ? latestOther : latest;
    return { devices: refused.size, otherAcceptedAt: other?.at };
  }

  #of(subject: string): Told {
    const known = this.#told.get(subject);
    if (known) return known;
    const [oldest] = this.#told.keys();
    if (oldest !== undefined && this.#told.size >= MAX_SUBJECTS) this.#told.delete(oldest);
    const told = { refused: new Set<string>(), latest: undefined, latestOther: undefined };
    this.#told.set(subject, told);
    return told;
  }
}
