import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { ListLoading } from '../list/list-loading.tsx';
import { go, href, path } from '../navigation/location.ts';
import type { PartProps } from '../parts/part.ts';
import { InspectorFrame } from '../records/inspector-frame.tsx';
import { comparedKeys } from '../records/opened.ts';
import { Boundary } from '../shell/boundary.tsx';
import { Lazy } from '../shell/lazy.tsx';
import { usePaletteItems } from '../shell/palette-items.ts';
import { Workspace } from '../shell/workspace.tsx';
import { ComparePushes } from './compare-pushes.tsx';
import { phoneActions } from './phone-actions.ts';
import { usePhoneKeys } from './phone-keys.ts';
import { PhoneList } from './phone-list.tsx';
import { PhoneView } from './phone-view.tsx';
import { PhonesOverview } from './phones-overview.tsx';
import { openedPush } from './push-list.tsx';
import { rowsOf } from './push-rows.ts';
import { PushTrace } from './push-trace.tsx';

import './phones.css';
import './trace.css';
import { hrefOf, OVERVIEW, selection, shownPush } from './selection.ts';
import { openPhoneStore, type PhoneStore } from './store.ts';
import { type Target, targetOfDevice, targetOfPhone, targetsOf } from './target.ts';

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
  // Without phones to choose from a narrow screen begins with the overview.
  const hasChoice =
    store.isSandbox.value !== false ||
    targetsOf(store.phones.value, account.state.value).length > 0;
  const isFirst = path.value[1] === undefined && hasChoice;
  return (
    <Workspace
      listLabel="Phones"
      list={<PhoneList account={account} store={store} actions={actions} onFaults={openFaults} />}
      narrow={row || compared ? 'inspector' : isFirst ? 'list' : 'main'}
      main={
        <>
          <ErrorNotice error={store.error.value} onRetry={store.retry} />
          {target && (
            <Boundary key={target.name}>
              <PhoneView {...{ account, store, actions, target, rows }} onFaults={openFaults} />
            </Boundary>
          )}
          {!isKnown && !target && store.error.value === undefined && <ListLoading />}
          {isKnown && !target && selection.value && (
            <Empty icon="smartphone" title="Phone not found">
              <p>It may belong to another account, or have been removed.</p>
              <a class="button" href={href(['phones'])}>
                Phones of this account
              </a>
            </Empty>
          )}
          {isKnown && !selection.value && (
            <Boundary key={OVERVIEW}>
              <PhonesOverview account={account} store={store} actions={actions} />
            </Boundary>
          )}
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
  if (shown && shown.kind !== 'phone') return targetOfDevice(shown);
  const phone = phones.value.find(({ name }) => name === shown?.name);
  return phone && targetOfPhone(phone);
}
