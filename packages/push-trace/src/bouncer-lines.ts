import type { BouncerTrace, LinkAttempt, PushStage } from '@bellhop/protocol';

import type { HopLine } from './hop-line.ts';

/** The lines of a bouncer about a push, with the answers of the provider. */
export const bouncerLines = (trace: BouncerTrace): HopLine[] =>
  trace.stages.flatMap((stage) => [
    { ms: stage.began_ms, hop: 'bouncer' as const, text: beginOf(trace, stage) },
    ...stage.attempts.map(linkLine),
    ...(stage.stage === 'repetition'
      ? []
      : [{ ms: stage.ended_ms, hop: 'bouncer' as const, text: endOf(stage) }]),
  ]);

function beginOf(trace: BouncerTrace, stage: PushStage) {
  const { device_id, token_id, priority, expires_ms, token_hash } = trace;
  if (stage.stage === 'repetition')
    return 'the chat server asked again with the same key, and got the first answer';
  if (stage.stage === 'retry') return 'taken from the queue';
  const device = device_id === null ? 'a device that it does not have' : `device ${device_id}`;
  const named = token_id === null ? '' : `, named by the token ID ${token_id}`;
  const token = token_hash === null ? '' : ` (token ${token_hash})`;
  const expiry = expires_ms === null ? '' : `, expires ${new Date(expires_ms).toISOString()}`;
  const traced = stage.trace_id ? `, trace ${stage.trace_id}` : '';
  return `received for ${device}${named}${token}, priority ${priority}${expiry}${traced}`;
}

function linkLine(attempt: LinkAttempt): HopLine {
  const { number, status, verdict, reason, wait_seconds, retry_after, bytes, max_bytes } = attempt;
  const { session, environment, app, started_ms, answered_ms } = attempt;
  const answer = [status ?? 'no answer:', reason].filter((part) => part !== null).join(' ');
  const facts = [
    wait_seconds === null ? verdict : `${verdict} in ${seconds(wait_seconds)}`,
    ...(retry_after === null ? [] : [`Retry-After ${seconds(retry_after)}`]),
    `${answered_ms - started_ms} ms`,
    ...(bytes === null ? [] : [`${bytes} of ${max_bytes} bytes`]),
    ...(session === null ? [] : [`connection ${session}`]),
    ...(app === null ? [] : [app]),
    ...(environment === 'sandbox' ? ['sandbox of Apple'] : []),
  ];
  return {
    ms: started_ms,
    hop: 'link',
    text: `attempt ${number}: ${answer} (${facts.join(', ')})`,
  };
}

function endOf({ outcome, reason, retry_at, provider_id }: PushStage): string {
  const why = reason === null ? '' : `: ${reason}`;
  const name = provider_id === null ? '' : ` as ${provider_id}`;
  const next =
    retry_at === null ? '' : `, next attempt ${new Date(retry_at * 1_000).toISOString()}`;
  return `${outcome}${name}${why}${next}`;
}

const seconds = (count: number) => `${Number(count.toFixed(1))} s`;
