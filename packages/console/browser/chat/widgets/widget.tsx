import type { FetchedMessage } from '@bellhop/protocol';

import { Lazy } from '../../shell/lazy.tsx';
import type { WidgetProps } from './widget-view.tsx';

const load = async () => (await import('./widget-view.tsx')).WidgetView;

/** The poll, list or buttons of a message, if it has any. */
export const Widget = (props: WidgetProps) =>
  props.message.submessages.length === 0 ? null : <Lazy load={load} props={props} />;

/**
 * Whether a widget shows in place of the text of the message, such as `/poll Tea?`. The text of a message
 * with buttons is for clients without buttons: it repeats their heading and numbers them.
 */
export const isWidget = ({ submessages: [first], content }: FetchedMessage): boolean =>
  first !== undefined &&
  (/^<p>\/(poll|todo)\b/.test(content) || /^\{\s*"widget_type":\s*"zform"/.test(first.content));
