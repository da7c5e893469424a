import { CopyButton } from './copy-button.tsx';

import './code-block.css';

interface CodeBlockProps {
  /** Names the block. */
  readonly label: string;
  readonly text: string;
  /** The text for the copy button if it differs, such as the text with its secrets. */
  readonly copies?: string | undefined;
}

/** A text of several lines in a fixed width, with a button that copies it. */
export const CodeBlock = ({ label, text, copies = text }: CodeBlockProps) => (
  <figure class="code-block">
    <figcaption class="row">
      <span class="grow clip">{label}</span>
      <CopyButton text={copies} label={`Copy ${label}`} />
    </figcaption>
    <pre tabindex={0} aria-label={label}>
      {text}
    </pre>
  </figure>
);
