import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { processFacts } from './process-facts.ts';

/** The content of a lock file. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Distinguishes the process from a later one with the same number. Unknown on Windows. */
  readonly startedAt?: string;
  /** Distinguishes this lock from every other lock of the same process. */
  readonly id?: string;
}

/** A new lock of this process. */
export async function ownProcess(): Promise<LockOwner> {
  const startedAt = (await processFacts(process.pid))?.startedAt;
  return {
    pid: process.pid,
    host: hostname(),
    ...(startedAt === undefined ? {} : { startedAt }),
    id: randomUUID(),
  };
}

/** Undefined if the text is not the content of a lock file. */
export function parseOwner(text: string): LockOwner | undefined {
  try {
    const { pid, host, startedAt } = JSON.parse(text) as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
    return { pid, host, ...(typeof startedAt === 'string' ? { startedAt } : {}) };
  } catch {
    return undefined;
  }
}

/** `unknown`: the owner is on another host. */
export async function stateOf({
  pid,
  host,
  startedAt,
}: LockOwner): Promise<'alive' | 'ended' | 'unknown'> {
  if (host !== hostname()) return 'unknown';
  const facts = await processFacts(pid);
  return facts !== undefined && facts.startedAt === startedAt ? 'alive' : 'ended';
}
