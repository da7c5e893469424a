import type { FetchedMessage } from '@bellhop/protocol';
import { signal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { outboxOf } from '../compose/outbox.ts';
import { hrefOf } from '../href-of.ts';
import type { MessageActions } from '../message-actions.ts';
import { viewOfMessage } from '../recipient-head.tsx';
import { Poll } from './poll.tsx';
import { Todo } from './todo.tsx';
import { type ChoicesData, readWidget } from './widget-data.ts';

import './widgets.css';

export interface WidgetProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
}

/** The poll, list or buttons of a message. */
export function WidgetView({ account, message, actions }: WidgetProps) {
  const widget = readWidget(message.submessages);
  switch (widget?.widget_type) {
    case 'poll':
      return (
        <Poll account={account} message={message} actions={actions} data={widget.extra_data} />
      );
    case 'todo':
      return (
        <Todo account={account} message={message} actions={actions} data={widget.extra_data} />
      );
    case 'zform':
      return (
        <Choices account={account} message={message} actions={actions} data={widget.extra_data} />
      );
    default:
      return null;
  }
}

interface ChoicesProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
  readonly data: ChoicesData;
}

/** The buttons that were pressed on this page, by message: the reply and its `local_id`. */
const pressed = signal<ReadonlyMap<number, { readonly reply: string; readonly local_id: string }>>(
  new Map(),
);

/**
 * The buttons of a bot. Pressing one sends its reply to the conversation, which another list, such as
 * the mentions, does not show: the button says what became of it.
 */
function Choices({ account, message, actions, data: { heading, choices } }: ChoicesProps) {
  const last = pressed.value.get(message.id);
  const waits = outboxOf(account).unsent.value.find(({ local_id }) => local_id === last?.local_id);
  const press = (reply: string) => {
    const local_id = actions.sendReply(message, reply);
    if (local_id !== undefined)
      pressed.value = new Map([...pressed.peek(), [message.id, { reply, local_id }]]);
  };
  return (
    <section class="widget" aria-label={heading}>
      <h3>{heading}</h3>
      <div class="choices">
        {choices.map(({ short_name, long_name, reply }) => {
          const isPressed = last?.reply === reply;
          return (
            <Button
              key={short_name}
              title={reply}
              aria-pressed={isPressed}
              icon={isPressed && !waits ? 'check' : undefined}
              isBusy={isPressed && waits !== undefined && waits.reason === undefined}
              onClick={() => press(reply)}
            >
              <strong>{short_name}</strong> {long_name}
            </Button>
          );
        })}
      </div>
      {last && (
        <p class="message-note" role="status">
          {waits?.reason !== undefined ? (
            <>Not sent: {waits.reason} </>
          ) : waits ? (
            'Sending your answer…'
          ) : (
            <>You answered “{last.reply}”. </>
          )}
          <a href={hrefOf(viewOfMessage(message, account.user_id))}>Show the conversation</a>
        </p>
      )}
    </section>
  );
}
