import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import type { IconName } from '../../src/icon-names.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

interface PopoverButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** Stands before the icon, as a part of the button. */
  readonly face?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A button that opens a popover beside it. A click on an element with `data-closes` closes it. */
export function PopoverButton({ icon, label, face, children }: PopoverButtonProps) {
  const id = useId();
  const wrapper = useRef<HTMLSpanElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const anchor = wrapper.current?.querySelector('button');
    const panel = popover.current;
    if (!anchor || !panel) return undefined;
    let stop = () => {};
    const opens = (event: Event) => (event as ToggleEvent).newState === 'open';
    // A panel opens in a corner of the page. Nobody can click it before it is beside its button.
    const beforeToggle = (event: Event) => {
      if (opens(event)) panel.style.visibility = 'hidden';
    };
    const show = () => {
      if (panel.style.visibility === 'visible') return;
      panel.style.visibility = 'visible';
      panel.querySelector<HTMLElement>('[autofocus], button, a, input')?.focus();
    };
    const toggle = (event: Event) => {
      stop();
      const isOpen = opens(event);
      anchor.setAttribute('aria-expanded', String(isOpen));
      if (isOpen) stop = keepBeside(anchor, panel, show);
    };
    panel.addEventListener('beforetoggle', beforeToggle);
    panel.addEventListener('toggle', toggle);
    return () => {
      stop();
      panel.removeEventListener('beforetoggle', beforeToggle);
      panel.removeEventListener('toggle', toggle);
    };
  }, []);
  return (
    <span ref={wrapper}>
      {face === undefined ? (
        <IconButton icon={icon} label={label} aria-expanded="false" popovertarget={id} />
      ) : (
        <button type="button" class="face-button" aria-expanded="false" popovertarget={id}>
          {face}
          <span class="visually-hidden">{label}</span>
          <Icon name={icon} />
        </button>
      )}
      <div
        ref={popover}
        id={id}
        popover="auto"
        class="popover"
        aria-label={label}
        onClick={(event) => {
          if ((event.target as Element).closest('[data-closes]')) popover.current?.hidePopover();
        }}
        onKeyDown={moveInMenu}
      >
        {children}
      </div>
    </span>
  );
}

/** Arrow keys move the focus among the items of a menu. */
function moveInMenu(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const menu = event.currentTarget as HTMLElement;
  const items = [...menu.querySelectorAll<HTMLElement>('.menu-item')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (step === undefined || at === -1) return;
  event.preventDefault();
  items.at((at + step) % items.length)?.focus();
}

interface MenuItemProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
}

export const MenuItem = ({ icon, label, onSelect, isDanger = false }: MenuItemProps) => (
  <button
    type="button"
    class={isDanger ? 'menu-item danger' : 'menu-item'}
    data-closes
    onClick={onSelect}
  >
    <Icon name={icon} />
    {label}
  </button>
);

/**
 * Keeps a panel below its anchor, or above where there is no room, while the page scrolls and changes.
 * Calls `onPlaced` each time that it is there, and if the code for that cannot be loaded. Returns
 * how to stop.
 */
function keepBeside(anchor: Element, panel: HTMLElement, onPlaced: () => void): () => void {
  let stop = () => {};
  let isStopped = false;
  void import('@floating-ui/dom').then(({ autoUpdate, computePosition, flip, offset, shift }) => {
    if (isStopped) return;
    const place = async () => {
      const { x, y } = await computePosition(anchor, panel, {
        strategy: 'fixed',
        placement: 'bottom-start',
        middleware: [offset(4), flip({ padding: 8 }), shift({ padding: 8 })],
      });
      Object.assign(panel.style, { left: `${x}px`, top: `${y}px` });
      onPlaced();
    };
    stop = autoUpdate(anchor, panel, () => void place());
  }, onPlaced);
  return () => {
    isStopped = true;
    stop();
  };
}
