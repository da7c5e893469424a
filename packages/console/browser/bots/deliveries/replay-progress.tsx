import type { Bot, BotDelivery } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { Button, IconButton } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { hasFailed } from './status-pill.tsx';

interface ReplayProgressProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
  readonly replay_id: string;
  readonly count: number;
  readonly onDismiss: () => void;
}

/** How many deliveries of a replay have ended, and a button that stops the rest. */
export function ReplayProgress({ account, bot, replay_id, count, onDismiss }: ReplayProgressProps) {
  const ended = useSignal<ReadonlyMap<string, BotDelivery['status']>>(new Map());
  const { error, isBusy, run } = useAction();
  const { user_id: bot_id } = bot;
  const { botDeliveries } = account.client;
  useEffect(() => {
    const take = (delivery: BotDelivery) => {
      if (delivery.replay_id === replay_id && isOver(delivery))
        ended.value = new Map(ended.peek()).set(delivery.id, delivery.status);
    };
    const stopEvents = account.onEvent((event) => {
      if (event.type === 'bot_delivery') take(event.delivery);
    });
    // Some deliveries may have ended before the answer of the call that began them.
    botDeliveries.list({ bot_id, limit: 200 }).then(
      ({ deliveries }) => deliveries.forEach(take),
      () => undefined,
    );
    return stopEvents;
  }, []);
  const all = [...ended.value.values()];
  const dropped = all.filter((status) => status === 'dropped').length;
  const failed = all.filter((status) => hasFailed({ status })).length;
  const done = all.length - dropped;
  const isDone = all.length >= count;
  return (
    <div class="replay-progress" role="status" aria-label="Replay all">
      <progress value={all.length} max={count} aria-label={`${done} of ${count} replayed`} />
      <span class="grow">
        {isDone && dropped > 0
          ? `Stopped after ${done} of ${count}.`
          : isDone
            ? `Replayed ${count}.`
            : `${done} of ${count} replayed`}
        {failed > 0 && ` ${`${failed} failed`}`}
      </span>
      <ErrorNotice error={error.value} />
      {isDone ? (
        <IconButton icon="x" label="Dismiss" onClick={onDismiss} />
      ) : (
        <Button
          icon="x"
          isBusy={isBusy.value}
          onClick={() => run(botDeliveries.stopReplay({ bot_id, replay_id }))}
        >
          Stop
        </Button>
      )}
    </div>
  );
}

const isOver = (delivery: BotDelivery) =>
  hasFailed(delivery) || delivery.status === 'delivered' || delivery.status === 'dropped';
