import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { BackLink } from '../controls/back-link.tsx';
import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { Empty } from '../controls/empty.tsx';
import { MenuItem, PopoverButton } from '../controls/menu.tsx';
import { Pill } from '../controls/pill.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { shownFilter } from '../list/shown-filter.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { href, query, setQuery } from '../navigation/location.ts';
import { Records } from '../records/records.tsx';
import { usePageName } from '../shell/page-title.ts';
import { registrationNames } from './names.ts';
import type { PhoneActions } from './phone-actions.ts';
import { PhoneFace } from './phone-face.tsx';
import { PhoneHistory } from './phone-history.tsx';
import { pushList } from './push-list.tsx';
import { type PushRow, pushMatcher } from './push-rows.ts';
import { PushesOff } from './pushes-off.tsx';
import type { PhoneStore } from './store.ts';
import { registrationOf, type Target } from './target.ts';

const errorTexts = {
  INVALID_BOUNCER_PUBLIC_KEY: "the bouncer does not recognize the app's key",
  REQUEST_EXPIRED: 'token expired or bouncer unreachable; register again',
  BAD_REQUEST: 'registration rejected by the bouncer',
};

interface PhoneViewProps {
  readonly account: LiveAccount;
  readonly store: PhoneStore;
  readonly actions: PhoneActions;
  readonly onFaults: () => void;
  readonly target: Target;
  readonly rows: readonly PushRow[];
}
const tabs = { pushes: 'Pushes', history: 'Registration' };

/** A phone with its screen and its pushes; for other devices only the pushes. */
export function PhoneView({ store, rows, ...head }: PhoneViewProps) {
  const { account, target } = head;
  const { phone } = target;
  usePageName(target.name);
  const tab = query.value['view'] === 'history' && phone ? 'history' : 'pushes';
  const pushes = <Pushes store={store} rows={rows} {...head} />;
  return (
    <div class="phone-view">
      <PhoneHead {...head} />
      <PushesOff account={account} />
      {phone ? (
        <div class="phone-desk">
          <PhoneFace phone={phone} />
          <div class="phone-panel">
            <Tabs
              label={target.name}
              tabs={tabs}
              chosen={tab}
              onChoose={(next) => setQuery({ view: next === 'pushes' ? undefined : next })}
            >
              {tab === 'history' ? <PhoneHistory account={account} phone={phone} /> : pushes}
            </Tabs>
          </div>
        </div>
      ) : (
        <div class="phone-panel alone">{pushes}</div>
      )}
    </div>
  );
}

/** The pushes to a device, newest first, as they come. */
function Pushes({ store, rows, actions, target }: PhoneViewProps) {
  const filter = shownFilter();
  const shown = useMemo(() => rows.filter(pushMatcher(filter, Date.now())), [rows, filter]);
  const isOurs = target.phone !== undefined;
  const list = useMemo(() => pushList(isOurs), [isOurs]);
  return (
    <Records
      list={list}
      rows={shown.length > 0 || !store.isLoading.value ? shown : undefined}
      lastEventAt={store.changedAt}
      onEnd={store.loadOlder}
      empty={
        <Empty
          icon="bell"
          title="No pushes yet"
          {...(store.isSandbox.value && { command: 'npx bellhop try push' })}
        >
          <p>
            Notifications for direct messages, mentions and tests appear here while you are idle.
          </p>
          <Button icon="bell" onClick={() => void actions.test(target)}>
            Send the first test
          </Button>
        </Empty>
      }
    />
  );
}

function PhoneHead({
  account,
  actions,
  onFaults,
  target,
}: Pick<PhoneViewProps, 'account' | 'actions' | 'onFaults' | 'target'>) {
  const { phone, name } = target;
  const isRemoving = useSignal(false);
  const isSending = useSignal(false);
  const {
    status = 'none',
    error_code = null,
    error_message,
  } = registrationOf(account.state.value, target) ?? {};
  const send = () => {
    isSending.value = true;
    void actions.test(target).finally(() => (isSending.value = false));
  };
  return (
    <header class="page-head phone-head">
      <BackLink to={href(['phones'])} label="Back to phones" />
      <h2 class="clip">{name}</h2>
      <Pill
        tone={status === 'active' ? 'ok' : 'bad'}
        icon={status === 'active' ? 'circle-check' : 'circle-alert'}
      >
        {registrationNames[status]}
      </Pill>
      {error_code !== null && (
        <span class="muted clip" title={`${error_code}: ${error_message ?? ''}`}>
          {error_message ?? errorTexts[error_code]}
        </span>
      )}
      <span class="grow" />
      <Button kind="primary" icon="bell" isBusy={isSending.value} onClick={send}>
        Send a test
      </Button>
      {phone?.is_installed && (
        <Button
          icon={phone.is_online ? 'pause' : 'play'}
          onClick={() => void actions.setOnline(phone, !phone.is_online)}
        >
          {phone.is_online ? 'Take offline' : 'Bring online'}
        </Button>
      )}
      {phone && (
        <PopoverButton icon="ellipsis" label="More actions">
          <MenuItem icon="zap" label={`Faults for ${phone.name}`} onSelect={onFaults} />
          <MenuItem
            icon="refresh-cw"
            label={phone.is_installed ? 'Rotate keys' : 'Reinstall app'}
            onSelect={() => void actions.rotate(phone, false)}
          />
          {phone.is_installed && (
            <>
              <MenuItem
                icon="refresh-cw"
                label="Rotate keys and token"
                onSelect={() => void actions.rotate(phone, true)}
              />
              <MenuItem
                icon="x"
                label="Uninstall app"
                onSelect={() => void actions.uninstall(phone)}
              />
            </>
          )}
          <MenuItem
            icon="trash"
            label="Remove phone"
            isDanger
            onSelect={() => (isRemoving.value = true)}
          />
        </PopoverButton>
      )}
      {phone && isRemoving.value && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          action="Remove phone"
          icon="trash"
          run={() => actions.remove(phone)}
          onClose={() => (isRemoving.value = false)}
        >
          Its registration is removed, and the notifications it received are deleted.
        </ConfirmDialog>
      )}
    </header>
  );
}
