import type { BotDelivery, DeliveryStatus } from '@bellhop/protocol';
import { useState } from 'preact/hooks';

import type { IconName } from '../../../src/icon-names.ts';
import { Pill } from '../../controls/pill.tsx';
import { Countdown, Elapsed } from '../../controls/ticking.tsx';

const statusNames = {
  pending: 'pending',
  running: 'running',
  retrying: 'retrying',
  delivered: 'delivered',
  bot_error: 'bot error',
  failed: 'failed',
  dropped: 'dropped',
} satisfies Record<DeliveryStatus, string>;

const looks = {
  pending: { tone: 'info', icon: 'clock' },
  running: { tone: 'info', icon: 'radio' },
  retrying: { tone: 'warn', icon: 'refresh-cw' },
  delivered: { tone: 'ok', icon: 'check' },
  bot_error: { tone: 'warn', icon: 'circle-alert' },
  failed: { tone: 'bad', icon: 'circle-alert' },
  dropped: { tone: 'wait', icon: 'x' },
} as const satisfies Record<DeliveryStatus, { tone: string; icon: IconName }>;

/** Whether a delivery failed, or its bot answered that it failed itself. */
export const hasFailed = ({ status }: Pick<BotDelivery, 'status'>): boolean =>
  status === 'failed' || status === 'bot_error';

/** The state of a delivery: how long it runs, or how long until its retry. */
export function StatusPill({ delivery }: { delivery: BotDelivery }) {
  const { status, next_attempt_ms, attempt_count, created_ms } = delivery;
  if (status === 'retrying' && next_attempt_ms !== null)
    return (
      <Pill {...looks[status]}>
        retry in <Countdown to={next_attempt_ms} due="a moment" />
      </Pill>
    );
  return (
    <Pill {...looks[status]}>
      {statusNames[status]}
      {status === 'running' && (
        <SinceStart key={attempt_count} created_ms={attempt_count > 1 ? undefined : created_ms} />
      )}
    </Pill>
  );
}

/**
 * How long an attempt has been running. The server does not tell when a retry began, so its time
 * counts from the moment when the page received it.
 */
function SinceStart({ created_ms }: { created_ms: number | undefined }) {
  const [learned] = useState(Date.now);
  return <Elapsed from={created_ms ?? learned} />;
}
