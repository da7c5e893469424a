import type { ComponentChildren } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import { Icon } from './icon.tsx';

interface PillProps {
  readonly tone?: 'ok' | 'warn' | 'bad' | 'info' | 'wait' | undefined;
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

/** A state as a picture, a word and a colour. */
export const Pill = ({ tone, icon, children }: PillProps) => (
  <span class={`pill ${tone ?? ''}`}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);
