import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { ListLoading } from '../list/list-loading.tsx';
import { go } from '../navigation/location.ts';
import type { PartProps } from '../parts/part.ts';
import { InspectorFrame } from '../records/inspector-frame.tsx';
import { comparedKeys } from '../records/opened.ts';
import { Boundary } from '../shell/boundary.tsx';
import { Lazy } from '../shell/lazy.tsx';
import { usePaletteItems } from '../shell/palette-items.ts';
import { Workspace } from '../shell/workspace.tsx';
import { ComparePushes } from './compare-pushes.tsx';
import { phoneActions, type PhoneActions } from './phone-actions.ts';
import { usePhoneKeys } from './phone-keys.ts';
import { PhoneList } from './phone-list.tsx';
import { PhoneView } from './phone-view.tsx';
import { openedPush } from './push-list.tsx';
import { rowsOf } from './push-rows.ts';
import { PushTrace } from './push-trace.tsx';

import './phones.css';
import './trace.css';
import { hrefOf, selection, shownPush } from './selection.ts';
import { openPhoneStore, type PhoneStore } from './store.ts';
import type { Target } from './target.ts';

/** Simulated phones and devices of other programs, with every push over all its hops. */
export function Phones({ account }: PartProps) {
  const [store, setStore] = useState<PhoneStore | undefined>(undefined);
  useEffect(() => {
    const opened = openPhoneStore(account);
    setStore(opened);
    return opened.stop;
  }, [account]);
  return store ? <PhonesOf account={account} store={store} /> : null;
}

function PhonesOf({ account, store }: PartProps & { readonly store: PhoneStore }) {
  const actions = useMemo(() => phoneActions(account, store), [store]);
  const isFaultsOpen = useSignal(false);
  const openFaults = () => (isFaultsOpen.value = store.isSandbox.peek() === true);
  const target = targetOf(store);
  const rows = useMemo(
    () => (target ? rowsOf(target, store.traces.value) : []),
    [target?.push_account_id, target?.device_id, target?.phone, store.traces.value],
  );
  const row = rows.find(({ cipher_id }) => cipher_id === shownPush.value);
  const compared = comparedKeys();
  usePhoneKeys({ actions, target, openFaults });
  usePaletteItems(
    () =>
      store.phones.peek().map(({ name }) => ({
        title: name,
        kind: 'Phone',
        icon: 'smartphone',
        run: () => go(hrefOf({ kind: 'phone', name })),
      })),
    [store],
  );
  const isKnown = store.isSandbox.value !== undefined;
  return (
    <Workspace
      listLabel="Phones"
      list={<PhoneList account={account} store={store} actions={actions} onFaults={openFaults} />}
      narrow={row || compared ? 'inspector' : target ? 'main' : 'list'}
      main={
        <>
          <ErrorNotice error={store.error.value} onRetry={store.retry} />
          {target && (
            <Boundary key={target.name}>
              <PhoneView {...{ account, store, actions, target, rows }} onFaults={openFaults} />
            </Boundary>
          )}
          {!isKnown && !target && store.error.value === undefined && <ListLoading />}
          {isKnown && !target && <NoPhone account={account} store={store} actions={actions} />}
          {isFaultsOpen.value && (
            <Lazy
              load={loadFaults}
              props={{
                faults: store.client.faults,
                phones: store.phones.value,
                phone: target?.phone?.name,
                onClose: () => (isFaultsOpen.value = false),
              }}
            />
          )}
        </>
      }
      inspector={
        target &&
        (compared ? (
          <InspectorFrame label="Push" title="Two pushes" opened={openedPush}>
            <ComparePushes rows={rows.filter(({ cipher_id }) => compared.includes(cipher_id))} />
          </InspectorFrame>
        ) : (
          row && (
            <Boundary key={row.cipher_id}>
              <PushTrace store={store} target={target} row={row} />
            </Boundary>
          )
        ))
      }
    />
  );
}

const loadFaults = async () => (await import('../faults/faults-dialog.tsx')).FaultsDialog;

/** The phone or device that the address names. */
function targetOf({ phones }: PhoneStore): Target | undefined {
  const shown = selection.value;
  if (shown && shown.kind !== 'phone') {
    const isAccount = shown.kind === 'device';
    return {
      name: `Device ${shown.id.slice(-6)}`,
      push_account_id: isAccount ? shown.id : null,
      device_id: isAccount ? null : Number(shown.id),
      phone: undefined,
    };
  }
  const phone = phones.value.find(({ name }) => name === shown?.name);
  if (!phone) return undefined;
  const { name, push_account_id, device_id } = phone;
  return { name, push_account_id, device_id, phone };
}

interface NoPhoneProps extends PartProps {
  readonly store: PhoneStore;
  readonly actions: PhoneActions;
}

function NoPhone({ account, store, actions }: NoPhoneProps) {
  const state = account.state.value;
  const { delivery_email, email = '' } =
    state?.realm_users?.find(({ user_id }) => user_id === account.user_id) ?? {};
  if (selection.value) return <Empty icon="smartphone" title="Phone not found" />;
  if (store.isSandbox.value && store.phones.value.length === 0)
    return (
      <Empty icon="smartphone" title="No phones yet">
        <p>
          Phones you add register with the server and show the notifications sent to you. Each
          account has its own phones. The ones that a sandbox starts with belong to Max.
        </p>
        <Button kind="primary" icon="plus" onClick={() => void actions.add('fcm')}>
          Add phone
        </Button>
      </Empty>
    );
  if (store.isSandbox.value)
    return (
      <Empty icon="smartphone" title="Select a phone" command="npx bellhop try push">
        <p>
          The phones of this account are on the left. This command sends a notification to all of
          them:
        </p>
        <Button icon="bell" onClick={() => void actions.test()}>
          Send a test to all phones
        </Button>
      </Empty>
    );
  if (Object.keys({ ...state?.push_devices, ...state?.devices }).length > 0)
    return (
      <Empty icon="smartphone" title="Select a device">
        <p>The devices of this account are on the left.</p>
      </Empty>
    );
  if (state?.realm_push_notifications_enabled === false)
    return (
      <Empty icon="smartphone" title="No phones yet" command="npx bellhop secrets">
        <p>
          This server cannot send push notifications because it has no bouncer. Its operator can set
          BELLHOP_BOUNCER_URL and create the credentials with this command:
        </p>
      </Empty>
    );
  return (
    <Empty
      icon="smartphone"
      title="No phones yet"
      command={`npx bellhop device add --server ${location.origin} --email ${delivery_email ?? email} --bouncer-key KEY`}
    >
      <p>
        Devices appear here when an app registers them, with the history of each notification. This
        command registers a simulated phone. It needs your API key as BELLHOP_API_KEY, the public
        key of the bouncer's apps, and a simulator that the bouncer sends to (“npx bellhop simulator
        start”).
      </p>
    </Empty>
  );
}
