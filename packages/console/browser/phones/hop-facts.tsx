import type { BouncerTrace, LinkAttempt } from '@bellhop/protocol';
import type { JoinedTrace } from '@bellhop/push-trace';
import type { ComponentChildren } from 'preact';

import { ClockTime } from '../controls/clock-time.tsx';
import { durationText } from '../controls/duration-text.ts';
import { Fact, Facts } from '../controls/facts.tsx';

const factNames = {
  why: 'Reason',
  plaintext: 'Plaintext',
  key: 'Key',
  attempts: 'Attempts',
  outcome: 'Outcome',
  push: 'Push',
  serverId: 'Server',
  realm: 'Realm',
  device: 'Device',
  token: 'Token (hash)',
  priority: 'Priority',
  expires: 'Expires',
  connection: 'Connection',
  app: 'App',
  bytes: 'Bytes',
  answer: 'Response',
  verdict: 'Result',
  waited: 'Waited for a slot',
  arrived: 'Arrived',
};

const words = factNames;

/** The facts about a push at each hop, with sizes beside their limits. */
export const HopFacts = ({ trace }: { trace: JoinedTrace }) => (
  <>
    <ServerFacts trace={trace} />
    {trace.bouncer.map((one) => (
      <BouncerFacts key={one.push_id} trace={one} />
    ))}
    {trace.attempts.map(({ at, status, outcome, explanation, size, limit }) => (
      <Section key={at} title="provider">
        <Fact name={words.answer}>
          {status ?? 'no response'} {outcome}
        </Fact>
        {explanation && <Fact name={words.why}>{explanation}</Fact>}
        <Fact name={words.bytes}>
          <Meter size={size} limit={limit} />
        </Fact>
      </Section>
    ))}
    {trace.arrivals.map(({ seq, received_at, size, priority }) => (
      <Section key={seq} title="phone">
        <Fact name={words.arrived}>
          <ClockTime ms={Date.parse(received_at)} />
        </Fact>
        <Fact name={words.bytes}>{size}</Fact>
        <Fact name={words.priority}>{priority}</Fact>
      </Section>
    ))}
  </>
);

function ServerFacts({ trace: { server } }: { trace: JoinedTrace }) {
  if (!server) return null;
  const { trigger, plaintext_bytes, max_plaintext_bytes } = server;
  const key = String(server.push_key_id ?? server.key_fingerprint);
  return (
    <Section title="server">
      {trigger && <Fact name={words.why}>{trigger}</Fact>}
      <Fact name={words.plaintext}>
        <Meter size={plaintext_bytes} limit={max_plaintext_bytes} />
      </Fact>
      <Fact name={words.key} copy={key}>
        {key}
      </Fact>
      <Fact name={words.attempts}>{server.attempts.length}</Fact>
      <Fact name={words.outcome}>{server.explanation}</Fact>
    </Section>
  );
}

function BouncerFacts({ trace }: { trace: BouncerTrace }) {
  const { push_id, server_uuid, realm_uuid, token_hash, priority, expires_ms } = trace;
  return (
    <>
      <Section title="bouncer">
        <Fact name={words.push} copy={push_id}>
          {push_id}
        </Fact>
        <Fact name={words.serverId} copy={server_uuid}>
          {server_uuid}
        </Fact>
        <Fact name={words.realm} copy={realm_uuid}>
          {realm_uuid}
        </Fact>
        <Fact name={words.device}>
          {[trace.device_id, trace.token_id].filter((id) => id !== null).join(', ')}
        </Fact>
        <Fact name={words.token}>{token_hash ?? '-'}</Fact>
        <Fact name={words.priority}>{priority}</Fact>
        {expires_ms !== null && (
          <Fact name={words.expires}>
            <ClockTime ms={expires_ms} />
          </Fact>
        )}
        <Fact name={words.outcome}>{trace.explanation}</Fact>
      </Section>
      {trace.stages
        .flatMap(({ attempts }) => attempts)
        .map((attempt) => (
          <LinkFacts key={attempt.started_ms} attempt={attempt} />
        ))}
    </>
  );
}

function LinkFacts({ attempt }: { attempt: LinkAttempt }) {
  const { number, session, app, bytes, max_bytes, status, reason, retry_after } = attempt;
  const { started_ms, answered_ms, waited_ms, verdict, wait_seconds } = attempt;
  const next = wait_seconds === null ? '' : `, ${durationText(wait_seconds * 1000)}`;
  const after = retry_after === null ? '' : `, Retry-After ${retry_after} s`;
  return (
    <Section title={`link ${number}`}>
      <Fact name={words.connection}>{session ?? '-'}</Fact>
      {app && <Fact name={words.app}>{app}</Fact>}
      {bytes !== null && max_bytes !== null && (
        <Fact name={words.bytes}>
          <Meter size={bytes} limit={max_bytes} />
        </Fact>
      )}
      {waited_ms !== null && <Fact name={words.waited}>{durationText(waited_ms)}</Fact>}
      <Fact name={words.answer}>
        {[status ?? 'no response', reason].filter((part) => part !== null).join(' ')}
        {after}, {durationText(answered_ms - started_ms)}
      </Fact>
      <Fact name={words.verdict}>
        {verdict}
        {next}
      </Fact>
    </Section>
  );
}

const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="hop-facts" aria-label={title}>
    <h3>{title}</h3>
    <Facts>{children}</Facts>
  </section>
);

/** A size beside its limit. */
const Meter = ({ size, limit }: { size: number; limit: number }) => (
  <span class="size">
    <span class="size-bar" aria-hidden="true">
      <span style={{ width: `${Math.min(100, (100 * size) / limit)}%` }} />
    </span>
    {size} of {limit} bytes
  </span>
);
