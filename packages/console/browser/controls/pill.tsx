import type { ComponentChildren } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import { Icon } from './icon.tsx';

interface PillProps {
  readonly tone?: 'ok' | 'warn' | 'bad' | 'info' | 'wait' | undefined;
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

/** A state: picture, word and colour, so that none of them alone has to say it. */
export const Pill = ({ tone, icon, children }: PillProps) => (
  <span class={`pill ${tone ?? ''}`}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);
