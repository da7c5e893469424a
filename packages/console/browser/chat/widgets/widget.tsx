import type { FetchedMessage } from '@bellhop/protocol';

import type { LiveAccount } from '../../live/live-account.ts';
import type { MessageActions } from '../message-actions.ts';
import { Choices } from './choices.tsx';
import { Poll } from './poll.tsx';
import { Todo } from './todo.tsx';
import { readWidget } from './widget-data.ts';

import './widgets.css';

interface WidgetProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
}

/** The poll, list or buttons of a message, if it has any. */
export function Widget({ account, message, actions }: WidgetProps) {
  if (message.submessages.length === 0) return null;
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

/** Whether a widget shows in place of the text of the message, such as `/poll Tea?`. */
export const isWidget = ({ submessages, content }: FetchedMessage): boolean =>
  submessages.length > 0 &&
  /^<p>\/(poll|todo)\b/.test(content) &&
  readWidget(submessages) !== undefined;
