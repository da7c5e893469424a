import type { FetchedMessage } from '@bellhop/protocol';

import { Button } from '../../controls/button.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import type { MessageActions } from '../message-actions.ts';
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
      return <Choices message={message} actions={actions} data={widget.extra_data} />;
    default:
      return null;
  }
}

interface ChoicesProps {
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
  readonly data: ChoicesData;
}

/** The buttons of a bot. Pressing one sends its reply to the conversation. */
const Choices = ({ message, actions, data: { heading, choices } }: ChoicesProps) => (
  <section class="widget" aria-label={heading}>
    <h3>{heading}</h3>
    <div class="choices">
      {choices.map(({ short_name, long_name, reply }) => (
        <Button key={short_name} title={reply} onClick={() => actions.sendReply(message, reply)}>
          <strong>{short_name}</strong> {long_name}
        </Button>
      ))}
    </div>
  </section>
);
