import { createHash } from 'node:crypto';

import { faultKinds } from '@bellhop/push-simulator';

import type { Arrival } from './arrival.ts';

/** A request to a provider that carried a notification, as the simulator logs it. */
export interface ProviderRequest {
  /** Unix time in milliseconds. */
  readonly time: number;
  readonly provider: string;
  readonly token: string | null;
  readonly status: number | null;
  readonly outcome: string;
  readonly body: string;
}

/** What became of one ciphertext: every attempt at the provider, and what the phone made of it. */
export interface PushTrace {
  /** The first 16 hexadecimal digits of the SHA-256 of `encrypted_data`. */
  readonly hash: string;
  readonly phone: string;
  readonly attempts: readonly TracedAttempt[];
  readonly arrivals: readonly Arrival[];
  readonly verdict: string;
}

export interface TracedAttempt {
  readonly at: string;
  readonly status: number | null;
  readonly outcome: string;
  /** What the provider's reason means; absent for accepted notifications. */
  readonly explanation?: string;
  /** Bytes of the payload, of at most `limit`. */
  readonly size: number;
  readonly limit: number;
}

/** What both providers accept at most. */
const LIMIT = 4096;

/** The hash that joins the hops; undefined for a text that is no ciphertext. */
export function ciphertextHash(encryptedData: unknown): string | undefined {
  if (typeof encryptedData !== 'string') return undefined;
  return createHash('sha256').update(encryptedData).digest('hex').slice(0, 16);
}

/** A notification that reached the phone, with the hash of its ciphertext. */
export interface TracedArrival {
  readonly hash: string | undefined;
  readonly arrival: Arrival;
}

/** Joins the requests for one phone with what arrived there, the oldest ciphertext first. */
export function tracesOf(
  phone: string,
  requests: readonly ProviderRequest[],
  arrivals: readonly TracedArrival[],
): PushTrace[] {
  const hashes = new Map<string, ProviderRequest[]>();
  for (const request of requests) {
    const hash = ciphertextHash(payloadOf(request)?.['encrypted_data']);
    if (hash === undefined) continue;
    const known = hashes.get(hash);
    if (known) known.push(request);
    else hashes.set(hash, [request]);
  }
  return [...hashes].map(([hash, attempted]) => {
    const attempts = attempted.map(attemptOf);
    const arrived = arrivals.filter((one) => one.hash === hash).map(({ arrival }) => arrival);
    return { hash, phone, attempts, arrivals: arrived, verdict: verdictOn(attempts, arrived) };
  });
}

type Json = Readonly<Record<string, unknown>>;

/** The part of the body that the phone gets: an APNs body, the data of an FCM message. */
function payloadOf({ provider, body }: ProviderRequest): Json | undefined {
  try {
    const parsed = JSON.parse(body) as Json & { message?: { data?: Json } };
    return provider === 'fcm' ? parsed.message?.data : parsed;
  } catch {
    return undefined;
  }
}

function attemptOf(request: ProviderRequest): TracedAttempt {
  const { time, status, outcome, provider, body } = request;
  const reason = outcome.replace(/^fault: /, '');
  const kind = faultKinds.find(
    (one) => one.kind === reason && one.providers.includes(provider as never),
  );
  return {
    at: new Date(time).toISOString(),
    status,
    outcome,
    ...(kind ? { explanation: kind.explanation } : {}),
    size: Buffer.byteLength(provider === 'fcm' ? JSON.stringify(payloadOf(request)) : body),
    limit: LIMIT,
  };
}

function verdictOn(attempts: readonly TracedAttempt[], arrivals: readonly Arrival[]): string {
  const tries =
    attempts.length === 1 ? 'at the first attempt' : `after ${attempts.length} attempts`;
  const [arrival, second] = arrivals;
  if (arrival?.refused !== undefined) return `arrived ${tries}, but the phone refused it`;
  if (second) return `arrived ${arrivals.length} times`;
  if (arrival) return `arrived ${tries}`;
  const last = attempts.at(-1);
  if (last?.outcome === 'stored') return 'waits at the provider until the phone is online';
  if (last?.outcome === 'dropped') return 'taken by the provider, which could not deliver it';
  return `not delivered: ${last?.outcome ?? 'no attempt'}`;
}
