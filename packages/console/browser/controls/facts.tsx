import type { ComponentChildren } from 'preact';

import { CopyButton } from './copy-button.tsx';

import './facts.css';

/** Names with their values, one below the other. */
export const Facts = ({ children }: { readonly children: ComponentChildren }) => (
  <dl class="facts">{children}</dl>
);

interface FactProps {
  readonly name: string;
  /** A text that a button beside the value copies. */
  readonly copy?: string | undefined;
  readonly children: ComponentChildren;
}

export const Fact = ({ name, copy, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {copy === undefined ? (
        children
      ) : (
        <span class="row">
          <span>{children}</span>
          <CopyButton text={copy} label={`Copy ${name}`} />
        </span>
      )}
    </dd>
  </div>
);
