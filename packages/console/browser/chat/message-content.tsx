import { useLayoutEffect, useRef } from 'preact/hooks';

import type { LiveAccount } from '../live/live-account.ts';
import { nodesOf } from '../text/server-html.ts';

import './message-content.css';

interface MessageContentProps {
  readonly html: string;
  readonly account: LiveAccount;
}

/** The text of a message as the server rendered it. */
export function MessageContent({ html }: MessageContentProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(nodesOf(html));
  }, [html]);
  return <div ref={place} class="content" />;
}
