import { sharedCalls } from '../storage/shared-calls.ts';
import { rates } from './quota-table.ts';
import type { SharedCounters } from './shared-counters.ts';

const quota = 'device_notifications_per_minute';
const { seconds } = rates[quota];
/** The part of the limit that a node claims at once for a device. The first one it takes without asking. */
const CHUNK_PART = 1 / 8;

/**
 * Counts notifications to devices. Few devices get many, so a node asks the database only for those: each
 * further node may add an eighth to the limit of a device.
 */
export class DeviceCounters {
  readonly #counters: SharedCounters;
  readonly #now: () => number;
  #window = 0;
  #used = new Map<number, number>();
  /** The counts of devices with more than one chunk. */
  #allowed = new Map<number, number>();
  readonly #claiming = sharedCalls<boolean>();

  constructor(counters: SharedCounters, now: () => number) {
    this.#counters = counters;
    this.#now = now;
  }

  /** Counts one notification for each of the devices. Returns whether each had room for it. */
  async take(deviceIds: readonly number[], limit: number): Promise<boolean[]> {
    const window = Math.floor(this.#now() / (seconds * 1_000));
    if (window !== this.#window) {
      this.#window = window;
      this.#used = new Map();
      this.#allowed = new Map();
    }
    const chunk = Math.max(1, Math.floor(limit * CHUNK_PART));
    const isAllowed = deviceIds.map((id) => this.#takeAllowed(id, chunk));
    if (isAllowed.every(Boolean)) return isAllowed;
    return Promise.all(
      deviceIds.map(async (id, at) => isAllowed[at] || this.#takeClaimed(id, limit, chunk)),
    );
  }

  #takeAllowed(deviceId: number, chunk: number): boolean {
    const used = this.#used.get(deviceId) ?? 0;
    if (used >= (this.#allowed.get(deviceId) ?? chunk)) return false;
    this.#used.set(deviceId, used + 1);
    return true;
  }

  async #takeClaimed(deviceId: number, limit: number, chunk: number): Promise<boolean> {
    const claim = () => this.#claim(deviceId, limit, chunk);
    while (!this.#takeAllowed(deviceId, chunk))
      if (!(await this.#claiming(String(deviceId), claim))) return false;
    return true;
  }

  async #claim(deviceId: number, limit: number, chunk: number): Promise<boolean> {
    const allowed = this.#allowed.get(deviceId);
    // The first claim also counts the first chunk.
    const count = allowed === undefined ? 2 * chunk : chunk;
    const subject = `device ${deviceId}`;
    const refused = await this.#counters.take([{ subject, quota, limit, seconds, count }]);
    if (!refused) this.#allowed.set(deviceId, (allowed ?? chunk) + chunk);
    return refused === undefined;
  }
}
