import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { CopyButton } from '../controls/copy-button.tsx';

import './body-view.css';
import { JsonTree } from './json-tree.tsx';
import { readJson } from './read-json.ts';

interface BodyViewProps {
  /** The name of the text: `Payload`. */
  readonly title: string;
  readonly text: string;
  /** A note beside the size: `cut at 64 KiB`. */
  readonly note?: string | undefined;
}

const encoder = new TextEncoder();

/** A text from outside, pretty as a tree if it is JSON, and raw; with its size. */
export function BodyView({ title, text, note }: BodyViewProps) {
  const isRaw = useSignal(false);
  const value = useMemo(() => readJson(text), [text]);
  const size = useMemo(() => encoder.encode(text).length, [text]);
  const isPretty = value !== undefined && !isRaw.value;
  return (
    <section class="body-view" aria-label={title}>
      <div class="row body-head">
        <h3>{title}</h3>
        <span class="muted grow clip time">
          {`${size.toLocaleString('en')} bytes`}
          {note === undefined ? '' : `, ${note}`}
        </span>
        {value !== undefined && (
          <span class="segments" role="group" aria-label={`${title}: format`}>
            <button type="button" aria-pressed={isPretty} onClick={() => (isRaw.value = false)}>
              Pretty
            </button>
            <button type="button" aria-pressed={!isPretty} onClick={() => (isRaw.value = true)}>
              Raw
            </button>
          </span>
        )}
        <CopyButton text={text} />
      </div>
      {text === '' ? (
        <p class="muted">Empty</p>
      ) : isPretty ? (
        <JsonTree value={value} label={title} />
      ) : (
        <pre class="body-raw" tabindex={0} aria-label={title}>
          {text}
        </pre>
      )}
    </section>
  );
}
