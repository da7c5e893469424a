import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import { Icon } from './icon.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'type'> {
  readonly kind?: 'plain' | 'primary' | 'danger' | undefined;
  readonly icon?: IconName | undefined;
  /** Shows a spinner and cannot be pressed. */
  readonly isBusy?: boolean;
  readonly type?: 'button' | 'submit';
  readonly children: ComponentChildren;
}

export const Button = ({
  kind = 'plain',
  icon,
  isBusy = false,
  disabled,
  type = 'button',
  children,
  ...rest
}: ButtonProps) => (
  <button {...rest} type={type} class={`button ${kind}`} disabled={isBusy || disabled === true}>
    {isBusy ? <span class="spinner" /> : icon && <Icon name={icon} />}
    {children}
  </button>
);

interface IconButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'type'> {
  readonly icon: IconName;
  /** Names the button, and is shown on hover. */
  readonly label: string;
  readonly type?: 'button' | 'submit';
}

export const IconButton = ({ icon, label, type = 'button', ...rest }: IconButtonProps) => (
  <button {...rest} type={type} class="icon-button" aria-label={label} title={label}>
    <Icon name={icon} />
  </button>
);
