import { useSignal } from '@preact/signals';

import { Button, IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { current } from '../live/accounts.ts';
import { modKey } from '../navigation/keys.ts';
import { AccountMenu } from './account-menu.tsx';

const statusNames = {
  connecting: 'Connecting',
  live: 'Live',
  retrying: 'Reconnecting',
  ended: 'Disconnected',
};

interface TopBarProps {
  readonly title: string;
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

export const TopBar = ({ title, onPalette, onKeys }: TopBarProps) => (
  <header class="top-bar">
    <h1 class="top-title">{title}</h1>
    <span class="top-realm clip muted">{current.value?.state.value?.realm_name}</span>
    <button type="button" class="palette-button" onClick={onPalette}>
      <Icon name="search" />
      <span class="grow clip">Command palette</span>
      <kbd class="kbd">{modKey} K</kbd>
    </button>
    <LiveDot />
    <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={onKeys} />
    <AccountMenu />
  </header>
);

/** Whether events arrive, and how old the last one is. */
function LiveDot() {
  const lookedAt = useSignal(Date.now());
  const account = current.value;
  const status = account?.status.value ?? 'connecting';
  const age = Math.max(0, Math.round((lookedAt.value - (account?.lastEventAt.value ?? 0)) / 1000));
  if (status === 'ended')
    return (
      <Button icon="refresh-cw" onClick={() => location.reload()}>
        {statusNames.ended}: reload
      </Button>
    );
  return (
    <span
      class={`live ${status}`}
      role="status"
      title={`last event ${age} s ago`}
      onPointerEnter={() => (lookedAt.value = Date.now())}
    >
      <i />
      {statusNames[status]}
    </span>
  );
}
