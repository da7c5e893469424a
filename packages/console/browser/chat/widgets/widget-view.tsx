import { Choices } from './choices.tsx';
import { Poll } from './poll.tsx';
import { Todo } from './todo.tsx';
import { readWidget } from './widget-data.ts';
import type { WidgetProps } from './widget.tsx';

import './widgets.css';

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
