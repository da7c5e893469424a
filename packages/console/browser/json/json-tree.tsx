import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { CopyButton } from '../controls/copy-button.tsx';
import { Icon } from '../controls/icon.tsx';

import './json-tree.css';
import { choosePath, chosenPath } from './chosen-path.ts';
import { isBelow, pathStep } from './json-path.ts';

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

interface JsonTreeProps {
  readonly value: Json;
  readonly label: string;
  /** Levels that are open at first. */
  readonly depth?: number;
}
/** Entries of one level beyond this number appear at a press. */
const PAGE = 100;

/**
 * A JSON value as a tree: levels fold, and the path of each value can be copied. The address has the path
 * of the value that was chosen, so that a link shows it.
 */
export const JsonTree = ({ value, label, depth = 2 }: JsonTreeProps) => (
  <div class="json-tree" role="tree" aria-label={label} tabindex={0} onKeyDown={moveInTree}>
    <Node
      name={undefined}
      value={value}
      path="$"
      depth={depth}
      chosen={chosenPath(label)}
      onChoose={(path) => choosePath(label, path)}
    />
  </div>
);

interface NodeProps {
  readonly name: string | undefined;
  readonly value: Json;
  /** The path in the notation of JSONPath. */
  readonly path: string;
  readonly depth: number;
  /** The path that the address has. */
  readonly chosen: string | undefined;
  readonly onChoose: (path: string) => void;
}

function Node({ name, value, path, depth, chosen, onChoose }: NodeProps) {
  const isOpen = useSignal(depth > 0);
  const shown = useSignal(PAGE);
  const line = useRef<HTMLDivElement>(null);
  const entries = entriesOf(value);
  const isList = Array.isArray(value);
  const pathOf = (key: string) => path + pathStep(isList ? Number(key) : key);
  const isChosen = chosen === path;
  useLayoutEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' });
    if (!entries || chosen === undefined || !isBelow(path, chosen)) return;
    isOpen.value = true;
    const at = entries.findIndex(([key]) => chosen === pathOf(key) || isBelow(pathOf(key), chosen));
    shown.value = Math.max(shown.peek(), at + 1);
  }, [chosen]);
  const choose = ({ target }: MouseEvent) => {
    // The end of a selection of text is also a click.
    const isSelecting = getSelection()?.isCollapsed === false;
    if (!isSelecting && !(target as Element).closest('button')) onChoose(path);
  };
  if (!entries)
    return (
      <div
        ref={line}
        class="json-line"
        role="treeitem"
        tabindex={-1}
        aria-selected={isChosen}
        onClick={choose}
      >
        <Name name={name} />
        <Leaf value={value} />
        <CopyButton text={path} label={`Copy path ${path}`} />
      </div>
    );
  return (
    <div role="treeitem" tabindex={-1} aria-expanded={isOpen.value} aria-selected={isChosen}>
      <div ref={line} class="json-line" onClick={choose}>
        <button
          type="button"
          class="json-fold"
          tabindex={-1}
          aria-label={isOpen.value ? 'Collapse' : 'Expand'}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon name={isOpen.value ? 'chevron-down' : 'chevron-right'} />
        </button>
        <Name name={name} />
        <span class="muted">{isList ? `[${entries.length}]` : `{${entries.length}}`}</span>
        <CopyButton text={path} label={`Copy path ${path}`} />
      </div>
      {isOpen.value && (
        <div role="group" class="json-level">
          {entries.slice(0, shown.value).map(([key, entry]) => (
            <Node
              key={key}
              name={key}
              value={entry}
              path={pathOf(key)}
              depth={depth - 1}
              chosen={chosen}
              onChoose={onChoose}
            />
          ))}
          {entries.length > shown.value && (
            <button type="button" class="button" onClick={() => (shown.value += PAGE)}>
              {entries.length - shown.value} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

const Name = ({ name }: { name: string | undefined }) =>
  name === undefined ? null : <span class="json-name">{name}:</span>;

const Leaf = ({ value }: { value: Json }) => (
  <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
);

const entriesOf = (value: Json): readonly (readonly [string, Json])[] | undefined =>
  typeof value === 'object' && value !== null ? Object.entries(value) : undefined;

/** Arrow keys walk the tree; left folds and right opens a level, Enter chooses a value. */
function moveInTree(event: KeyboardEvent): void {
  const tree = event.currentTarget as HTMLElement;
  const items = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const focused = (event.target as HTMLElement).closest<HTMLElement>('[role=treeitem]');
  const at = focused ? items.indexOf(focused) : -1;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const folds = { ArrowLeft: 'true', ArrowRight: 'false' }[event.key];
  if (step !== undefined) items[Math.max(0, at + step)]?.focus();
  else if (folds !== undefined && focused?.getAttribute('aria-expanded') === folds)
    focused.querySelector<HTMLElement>('.json-fold')?.click();
  else if (event.key === 'Enter' && focused && event.target === focused)
    (focused.querySelector<HTMLElement>('.json-line') ?? focused).click();
  else return;
  event.preventDefault();
}
