import type { QueuedNotification, TokenKind } from '@bellhop/protocol';

import { ConfirmButton } from '../controls/dialog-button.tsx';
import { toast } from '../controls/toasts.tsx';
import { parseFilter } from '../list/filter-text.ts';
import { href, query, setQuery } from '../navigation/location.ts';
import { LogPage } from './log-page.tsx';
import { queueLogs } from './logs.tsx';
import type { PageProps } from './page-props.ts';
import { strings } from './strings.ts';

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
    toast(strings.sent(count));
  };
  const tools = (rows: readonly QueuedNotification[], refresh: () => Promise<void>) => (
    <>
      <span class="segments" role="group" aria-label={strings.names.queue}>
        {(['waiting', 'ended'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === state}
            onClick={() =>
              setQuery({ queue: one === 'ended' ? one : undefined, record: undefined })
            }
          >
            {strings.queueStates[one]}
          </button>
        ))}
      </span>
      {rows.length > 0 && (
        <ConfirmButton
          icon="play"
          label={strings.sendAll}
          title={strings.sendTitle}
          actionKind="primary"
          run={() => send().then(refresh)}
        >
          {strings.sendText(rows.length)}
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
            {strings.switchFault}
          </a>
        )
      }
    />
  );
}
