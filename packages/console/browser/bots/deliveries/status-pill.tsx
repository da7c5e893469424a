import type { BotDelivery, DeliveryStatus } from '@bellhop/protocol';

import type { IconName } from '../../../src/icon-names.ts';
import { now } from '../../controls/now.ts';
import { Pill } from '../../controls/pill.tsx';
import { strings } from './strings.ts';

const looks = {
  pending: { tone: 'info', icon: 'clock' },
  running: { tone: 'info', icon: 'radio' },
  retrying: { tone: 'warn', icon: 'refresh-cw' },
  delivered: { tone: 'ok', icon: 'check' },
  failed: { tone: 'bad', icon: 'circle-alert' },
  dropped: { tone: 'wait', icon: 'x' },
} as const satisfies Record<DeliveryStatus, { tone: string; icon: IconName }>;

/** The state of a delivery; while it waits for a retry, how long. */
export const StatusPill = ({ delivery }: { delivery: BotDelivery }) => (
  <Pill {...looks[delivery.status]}>
    {delivery.status === 'retrying' && delivery.next_attempt_ms !== null ? (
      <Countdown to={delivery.next_attempt_ms} />
    ) : (
      strings.status[delivery.status]
    )}
  </Pill>
);

function Countdown({ to }: { to: number }) {
  const seconds = Math.max(0, Math.ceil((to - now.value) / 1000));
  const two = (part: number) => String(part).padStart(2, '0');
  return <>{strings.retryIn(`${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`)}</>;
}
