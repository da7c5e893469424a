import type { ComponentChildren } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  /** The content that an empty place will have. */
  readonly title: string;
  readonly children?: ComponentChildren;
  /** The command that fills it. */
  readonly command?: string;
}

/** Describes the content of an empty place and how to fill it; children are buttons for that. */
export const Empty = ({ icon, title, children, command }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
    {command && <Command text={command} />}
  </div>
);

/** A command line with a button that copies it. */
export const Command = ({ text }: { text: string }) => (
  <div class="command">
    <code class="grow">{text}</code>
    <CopyButton text={text} />
  </div>
);
