import './diff-view.css';
import { differences } from './text-diff.ts';

interface DiffViewProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The differences between two texts: a table of paths if both are JSON, else lines. Load it lazily.
 */
export function DiffView({ label, before, after }: DiffViewProps) {
  const found = differences(before, after);
  if (found.length === 0) return <p class="muted">No differences.</p>;
  if (found.some(({ kind }) => kind === 'lines'))
    return (
      <pre class="diff-lines" aria-label={label} tabindex={0}>
        {found.map(
          (one) =>
            one.kind === 'lines' &&
            (one.change === 'same' ? (
              one.text
            ) : one.change === 'added' ? (
              <ins>{one.text}</ins>
            ) : (
              <del>{one.text}</del>
            )),
        )}
      </pre>
    );
  return (
    <div class="diff-table" role="table" aria-label={label} tabindex={0}>
      <div role="row" class="muted">
        <span role="columnheader">Path</span>
        <span role="columnheader">Before</span>
        <span role="columnheader">After</span>
      </div>
      {found.map(
        (one) =>
          one.kind === 'value' && (
            <div role="row" key={one.path}>
              <span role="cell">{one.path}</span>
              <span role="cell">{one.before === '' ? <Absent /> : <del>{one.before}</del>}</span>
              <span role="cell">{one.after === '' ? <Absent /> : <ins>{one.after}</ins>}</span>
            </div>
          ),
      )}
    </div>
  );
}

const Absent = () => <span class="muted">absent</span>;
