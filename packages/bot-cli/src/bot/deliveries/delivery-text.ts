import type { BotDelivery, BotDeliveryDetails, DeliveryAttempt } from '@bellhop/protocol';

import { terminalLine, terminalText } from '../../command-line/terminal-text.ts';

/** One line about a delivery: time, bot, trigger, state, duration, verdict, id. */
export function deliveryLine(delivery: BotDelivery, bot: string): string {
  const { created_ms, status, trigger, duration_ms, verdict, replay_of, id } = delivery;
  const { next_attempt_ms } = delivery;
  const took = duration_ms === null ? '-' : `${duration_ms} ms`;
  const kind = replay_of === null ? trigger : 'replay';
  const facts = [bot.padEnd(12), kind.padEnd(14), status.padEnd(9), took.padStart(8)];
  const retry = next_attempt_ms === null ? '' : ` at ${clock(next_attempt_ms)}`;
  return terminalLine(`${clock(created_ms)}  ${facts.join('  ')}  ${verdict}${retry}  ${id}`);
}

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23);

/** All that is known about a delivery. */
export function deliveryText(delivery: BotDeliveryDetails, bot: string): string {
  const { payload, attempts, reply, message_id } = delivery;
  const replied = reply.message_id === null ? reply.outcome : `message ${reply.message_id}`;
  const why = reply.reason === null ? '' : `: ${reply.reason}`;
  return terminalText(
    [
      deliveryLine(delivery, bot),
      `message  ${message_id ?? 'none, a test'}`,
      `reply    ${replied}${why}`,
      `payload  ${payload ?? 'not sent yet'}`,
      ...attempts.map(attemptText),
    ].join('\n'),
  );
}

function attemptText({ number, timing, request, response, error, verdict }: DeliveryAttempt) {
  const steps = timing
    ? Object.entries(timing).flatMap(([step, ms]) => (ms === null ? [] : [`${step} ${ms} ms`]))
    : ['not sent'];
  return [
    `\nattempt ${number} to ${request.url}: ${verdict}`,
    `  ${steps.join(', ')}`,
    ...(error?.near == null || error.near === '' ? [] : [`  near     ${error.near}`]),
    ...(response
      ? [
          `  status   ${response.status}`,
          ...Object.entries(response.headers ?? {}).map(([name, value]) => `  ${name}: ${value}`),
          `  answer   ${response.body ?? ''}${response.truncated ? ' ... (cut at 64 KiB)' : ''}`,
        ]
      : []),
  ].join('\n');
}
