import type { QueuedNotification, TokenKind } from '@bellhop/protocol';

import { ConfirmButton } from '../controls/dialog-button.tsx';
import { toast } from '../controls/toasts.tsx';
import { parseFilter } from '../list/filter-text.ts';
import { href, query, setQuery } from '../navigation/location.ts';
import { LogPage } from './log-page.tsx';
import { queueLogs } from './logs.tsx';
import type { PageProps } from './page-props.ts';

const stateNames = { waiting: 'Waiting', ended: 'Given up' };

/**
 * Notifications that wait for their next attempt or were given up, with a button that sends them
 * again.
 */
export function QueuePage(props: PageProps) {
  const { client, isSandbox } = props;
  const state = query.value['queue'] === 'ended' ? 'ended' : 'waiting';
  const send = async () => {
    const { terms } = parseFilter(query.peek()['q'] ?? '', ['provider']);
    const { count } = await client.queue.replay({
      state,
      ...(terms as { provider?: TokenKind }),
    });
    toast(`Retrying ${count} notifications.`);
  };
  const tools = (rows: readonly QueuedNotification[], refresh: () => Promise<void>) => (
    <>
      <span class="segments" role="group" aria-label="Queue">
        {(['waiting', 'ended'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === state}
            onClick={() =>
              setQuery({ queue: one === 'ended' ? one : undefined, record: undefined })
            }
          >
            {stateNames[one]}
          </button>
        ))}
      </span>
      {rows.length > 0 && (
        <ConfirmButton
          icon="play"
          label="Retry all now"
          title="Retry these notifications now?"
          actionKind="primary"
          run={() => send().then(refresh)}
        >
          {rows.length} notifications will be retried immediately, for up to an hour.
        </ConfirmButton>
      )}
    </>
  );
  return (
    <LogPage
      key={state}
      {...props}
      log={queueLogs[state]}
      tools={tools}
      fill={
        isSandbox &&
        state === 'waiting' && (
          <a class="button" href={href(['bouncer', 'faults'])}>
            Make a provider fail
          </a>
        )
      }
    />
  );
}
