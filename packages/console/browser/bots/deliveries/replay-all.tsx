import type { Bot } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { Button } from '../../controls/button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import { ReplayProgress } from './replay-progress.tsx';

interface ReplayAllProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
  readonly filter: DeliveryFilter;
  /** The filter as it is written. */
  readonly text: string;
}
interface Started {
  readonly replay_id: string;
  readonly count: number;
}

/**
 * Replays all deliveries of a bot that match the filter: counts them, asks for confirmation, and
 * shows the progress.
 */
export function ReplayAll({ account, bot, filter, text }: ReplayAllProps) {
  const isOpen = useSignal(false);
  const started = useSignal<Started | undefined>(undefined);
  return (
    <>
      <Button
        icon="refresh-cw"
        disabled={started.value !== undefined}
        onClick={() => (isOpen.value = true)}
      >
        Replay all
      </Button>
      {isOpen.value && (
        <ReplayAllDialog
          account={account}
          bot={bot}
          filter={filter}
          text={text}
          onClose={() => (isOpen.value = false)}
          onStarted={(replay) => (started.value = replay)}
        />
      )}
      {started.value && (
        <ReplayProgress
          key={started.value.replay_id}
          {...started.value}
          account={account}
          bot={bot}
          onDismiss={() => (started.value = undefined)}
        />
      )}
    </>
  );
}

interface DialogProps extends ReplayAllProps {
  readonly onClose: () => void;
  readonly onStarted: (started: Started) => void;
}

/** The most deliveries of one replay. */
const MOST = 1000;

function ReplayAllDialog({ account, bot, filter, text, onClose, onStarted }: DialogProps) {
  const count = useSignal<number | undefined>(undefined);
  const sendsReplies = useSignal(false);
  const { error, isBusy, run } = useAction();
  const { user_id: bot_id } = bot;
  const { replayMany } = account.client.botDeliveries;
  // Deliveries that fail or arrive after the count are not replayed.
  const now = useSignal(Date.now()).value;
  const wanted = { bot_id, ...filter, before_ms: Math.min(filter.before_ms ?? now, now) };
  const load = () =>
    run(replayMany({ ...wanted, dry_run: true }), (answer) => (count.value = answer.count));
  useEffect(load, []);
  const start = () =>
    run(replayMany({ ...wanted, send_reply: sendsReplies.peek() }), (answer) => {
      onClose();
      if (answer.replay_id !== null)
        onStarted({ replay_id: answer.replay_id, count: answer.count });
    });
  return (
    <Dialog title="Replay all matching deliveries?" onClose={onClose}>
      {count.value === undefined ? (
        error.value === undefined && <p class="muted">Counting…</p>
      ) : count.value === 0 ? (
        <p>No deliveries match the filter.</p>
      ) : (
        <>
          <p>{`${count.value} ${count.value === 1 ? 'delivery' : 'deliveries'} ${text === '' ? 'of this bot' : `matching "${text}"`} will be sent again, once each, oldest first.`}</p>
          {count.value === MOST && <p class="muted">Only the newest 1,000 are replayed at once.</p>}
          <label class="row">
            <input
              type="checkbox"
              checked={sendsReplies.value}
              onChange={({ currentTarget }) => (sendsReplies.value = currentTarget.checked)}
            />
            Post the replies to their conversations
          </label>
        </>
      )}
      <ErrorNotice error={error.value} onRetry={count.value === undefined ? load : undefined} />
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        {count.value !== undefined && count.value > 0 && (
          <Button kind="primary" icon="refresh-cw" isBusy={isBusy.value} onClick={start}>
            Replay {count.value}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
