import type { BouncerTrace, ProviderRequest, PushArrival, PushTrace } from '@bellhop/protocol';

import { clockNotes } from './clock-notes.ts';
import type { Hop } from './hop-line.ts';

/** The traces of one ciphertext at all services. */
export interface JoinedTrace {
  readonly cipher_id: string;
  /** Null if nobody here knows the phone. */
  readonly phone: string | null;
  readonly server: PushTrace | null;
  /** More than one if the chat server sent the ciphertext again without the same Idempotency-Key. */
  readonly bouncer: readonly BouncerTrace[];
  readonly attempts: readonly TracedAttempt[];
  readonly arrivals: readonly PushArrival[];
  /** The reasons why services have no trace. */
  readonly silent: Partial<Readonly<Record<Hop, string>>>;
  readonly notes: readonly string[];
  readonly verdict: string;
}

/** An attempt as the provider saw it. */
export interface TracedAttempt {
  readonly at: string;
  readonly status: number | null;
  readonly outcome: string;
  /** The meaning of the provider's reason; absent for accepted notifications. */
  readonly explanation?: string;
  /** Bytes of the payload, of at most `limit`. */
  readonly size: number;
  readonly limit: number;
}

/** A notification that reached the phone. */
export interface TracedArrival {
  readonly cipher_id: string | undefined;
  readonly arrival: PushArrival;
}

/** The traces of the pushes to one phone by service; a text says why a service gave none. */
export interface HopFacts {
  readonly phone: string | null;
  readonly server: readonly PushTrace[] | string;
  readonly bouncer: readonly BouncerTrace[] | string;
  readonly requests: readonly ProviderRequest[] | string;
  readonly arrivals: readonly TracedArrival[] | string;
}

/** Joins the traces of the services by ciphertext, the oldest first. */
export function joinHops(facts: HopFacts): JoinedTrace[] {
  const times = new Map<string, number>();
  const seen = (id: string | null | undefined, ms: number) => {
    if (id) times.set(id, Math.min(ms, times.get(id) ?? Infinity));
  };
  for (const { cipher_id, encrypted_ms } of told(facts.server)) seen(cipher_id, encrypted_ms);
  for (const { cipher_id, stages } of told(facts.bouncer))
    seen(cipher_id, stages[0]?.began_ms ?? Infinity);
  for (const { cipher_id, time } of told(facts.requests)) seen(cipher_id, time);
  for (const { cipher_id, arrival } of told(facts.arrivals))
    seen(cipher_id, Date.parse(arrival.received_at));
  const ids = [...times].sort(([, one], [, other]) => one - other).map(([id]) => id);
  return ids.map((id) => joined(facts, id));
}

/** What a service tells; nothing if it gave a reason instead. */
const told = <T>(facts: readonly T[] | string): readonly T[] =>
  typeof facts === 'string' ? [] : facts;

function joined({ phone, server, bouncer, requests, arrivals }: HopFacts, id: string): JoinedTrace {
  const isThis = ({ cipher_id }: { cipher_id?: string | null | undefined }) => cipher_id === id;
  const ofServer = told(server).find(isThis);
  const ofBouncer = told(bouncer).filter(isThis);
  const sent = told(requests).filter(isThis);
  const attempts = sent.map(attemptOf);
  const arrived = told(arrivals)
    .filter(isThis)
    .map(({ arrival }) => arrival);
  const verdict =
    attempts.length + arrived.length > 0
      ? verdictOn(attempts, arrived)
      : (ofBouncer.at(-1)?.explanation ?? ofServer?.explanation ?? 'nothing is known of it');
  return {
    cipher_id: id,
    phone,
    server: ofServer ?? null,
    bouncer: ofBouncer,
    attempts,
    arrivals: arrived,
    silent: {
      ...(ofServer ? {} : { server: typeof server === 'string' ? server : NO_SERVER_TRACE }),
      ...(ofBouncer.length > 0 ? {} : { bouncer: bouncerSilence(bouncer, ofServer) }),
      ...(attempts.length > 0
        ? {}
        : {
            provider: typeof requests === 'string' ? requests : providerSilence(ofBouncer),
          }),
      ...(arrived.length > 0
        ? {}
        : {
            phone:
              typeof arrivals === 'string'
                ? arrivals
                : phoneSilence(attempts.at(-1)?.outcome, ofBouncer),
          }),
    },
    notes: clockNotes({
      server: ofServer,
      bouncer: ofBouncer,
      provider: sent.map(({ time }) => time),
    }),
    verdict,
  };
}

const NO_SERVER_TRACE =
  'not ours: it has no trace of it for this account (older than 3 days, or of an earlier registration)';

function bouncerSilence(bouncer: HopFacts['bouncer'], server: PushTrace | undefined): string {
  if (server?.outcome === 'unanswered')
    return `${server.type === 'test' ? 'never' : 'not yet'}: the chat server could not hand it over`;
  return typeof bouncer === 'string'
    ? bouncer
    : 'it has no trace of it: too old, or lost in a crash';
}

/** Whether the provider has accepted the push, as far as the bouncer tells. */
const isAccepted = (bouncer: readonly BouncerTrace[]) =>
  bouncer.some(({ outcome }) => outcome === 'accepted');

/** The simulator keeps its requests and what phones got in memory: nobody knows those of an earlier start. */
function providerSilence(bouncer: readonly BouncerTrace[]): string {
  const tried = bouncer.flatMap(({ stages }) => stages.flatMap(({ attempts }) => attempts));
  if (bouncer.length > 0 && tried.every(({ status }) => status === null))
    return 'not yet: the bouncer got no answer from it';
  return isAccepted(bouncer)
    ? 'no longer known: it keeps its latest 1000 requests, until it stops'
    : 'not among the latest 1000 requests since it started';
}

/** `outcome`: the last one in the log of the provider. */
function phoneSilence(outcome: string | undefined, bouncer: readonly BouncerTrace[]): string {
  if (outcome === undefined)
    return isAccepted(bouncer)
      ? 'no longer known: its provider has forgotten the push'
      : 'nothing arrived since its provider started';
  return outcome === 'stored' ? 'not yet: it is offline' : 'nothing arrived';
}

const attemptOf = ({
  time,
  status,
  outcome,
  explanation,
  size,
  limit,
}: ProviderRequest): TracedAttempt => ({
  at: new Date(time).toISOString(),
  status,
  outcome,
  ...(explanation === undefined ? {} : { explanation }),
  size,
  limit,
});

function verdictOn(attempts: readonly TracedAttempt[], arrivals: readonly PushArrival[]): string {
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
