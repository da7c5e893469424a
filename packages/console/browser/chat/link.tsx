import type { ComponentChildren } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import { Icon } from '../controls/icon.tsx';
import { hrefOf } from './href-of.ts';
import type { View } from './view.ts';

export interface LinkProps {
  readonly view: View;
  readonly isShown: (view: View) => boolean;
  readonly icon?: IconName;
  readonly picture?: ComponentChildren;
  readonly count?: number | undefined;
  /** Called for a click in place of following the address, which a new tab still opens. */
  readonly onOpen?: () => void;
  readonly children: ComponentChildren;
}

/** An entry of the list with its number of unread messages. */
export const Link = ({ view, isShown, icon, picture, count = 0, onOpen, children }: LinkProps) => (
  <a
    class={count > 0 ? 'nav-entry unread' : 'nav-entry'}
    href={hrefOf(view)}
    aria-current={isShown(view) ? 'page' : undefined}
    onClick={(event) => {
      const { ctrlKey, metaKey, shiftKey, altKey } = event;
      if (!onOpen || ctrlKey || metaKey || shiftKey || altKey) return;
      event.preventDefault();
      onOpen();
    }}
  >
    {icon ? <Icon name={icon} /> : picture}
    <span class="grow clip">{children}</span>
    {count > 0 && (
      <span class="count">
        {count}
        <span class="visually-hidden"> {count} unread</span>
      </span>
    )}
  </a>
);
