import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { ListLoading } from '../list/list-loading.tsx';
import { createMarks } from '../list/marks.ts';
import { focusRow } from '../list/row-keys.ts';
import { setQuery } from '../navigation/location.ts';
import type { PartProps } from '../parts/part.ts';
import { Boundary } from '../shell/boundary.tsx';
import { Lazy } from '../shell/lazy.tsx';
import { failures } from '../shell/page-title.ts';
import { Workspace } from '../shell/workspace.tsx';
import { phoneActions, type PhoneActions } from './phone-actions.ts';
import { usePhoneKeys } from './phone-keys.ts';
import { PhoneList } from './phone-list.tsx';
import { PhoneView } from './phone-view.tsx';
import { outcomeOf, type PushRow, rowsOf } from './push-rows.ts';
import { plaintextOf, PushTrace } from './push-trace.tsx';

import './phones.css';
import './trace.css';
import { selection, shownPush, type Target } from './selection.ts';
import { openPhoneStore, type PhoneStore } from './store.ts';
import { strings } from './strings.ts';

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
  const marks = useMemo(createMarks, []);
  const isComparing = useSignal(false);
  const isFaultsOpen = useSignal(false);
  const openFaults = () => (isFaultsOpen.value = store.isSandbox.peek() === true);
  const target = targetOf(store);
  const rows = useMemo(
    () => (target ? rowsOf(target, store.traces.value) : []),
    [target?.push_account_id, target?.phone, store.traces.value],
  );
  const row = rows.find(({ cipher_id }) => cipher_id === shownPush.value);
  const failed = rows.filter((one) => outcomeOf(one).status === 'failed').length;
  useEffect(() => {
    failures.value = failed;
    return () => (failures.value = 0);
  }, [failed]);
  const closePush = () => {
    const open = shownPush.peek();
    setQuery({ push: undefined, asof: undefined, tab: undefined });
    if (open !== undefined) setTimeout(() => focusRow(open));
  };
  usePhoneKeys({
    actions,
    target,
    rows,
    marks,
    closePush,
    compare: () => (isComparing.value = true),
    openFaults,
  });
  const isKnown = store.isSandbox.value !== undefined;
  return (
    <Workspace
      listLabel={strings.phones}
      list={<PhoneList account={account} store={store} actions={actions} onFaults={openFaults} />}
      narrow={row ? 'inspector' : target ? 'main' : 'list'}
      main={
        <>
          <ErrorNotice error={store.error.value} onRetry={() => void store.refresh()} />
          {target && (
            <Boundary key={target.name}>
              <PhoneView
                {...{ account, store, actions, target, rows, marks }}
                onFaults={openFaults}
              />
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
                version: store.version.value,
                onClose: () => (isFaultsOpen.value = false),
              }}
            />
          )}
          {isComparing.value && (
            <Comparison
              rows={rows}
              keys={marks.keys.value}
              onClose={() => (isComparing.value = false)}
            />
          )}
        </>
      }
      inspector={
        target &&
        row && (
          <Boundary key={row.cipher_id}>
            <PushTrace store={store} target={target} row={row} onClose={closePush} />
          </Boundary>
        )
      }
    />
  );
}

const loadFaults = async () => (await import('../faults/faults-dialog.tsx')).FaultsDialog;
const loadDiff = async () => (await import('../json/diff-view.tsx')).DiffView;

interface ComparisonProps {
  readonly rows: readonly PushRow[];
  readonly keys: readonly string[];
  readonly onClose: () => void;
}

/** The differences between the texts of two pushes, the older one first. */
function Comparison({ rows, keys, onClose }: ComparisonProps) {
  const [after, before] = rows.filter(({ cipher_id }) => keys.includes(cipher_id));
  if (!before || !after) return null;
  const props = {
    label: strings.compareTitle,
    before: plaintextOf(before),
    after: plaintextOf(after),
  };
  return (
    <Dialog title={strings.compareTitle} onClose={onClose}>
      <Lazy load={loadDiff} props={props} />
    </Dialog>
  );
}

/** The phone or device that the address names. */
function targetOf({ phones }: PhoneStore): Target | undefined {
  const shown = selection.value;
  if (shown?.kind === 'device')
    return { name: strings.device(shown.id), push_account_id: shown.id, phone: undefined };
  const phone = phones.value.find(({ name }) => name === shown?.name);
  return phone && { name: phone.name, push_account_id: phone.push_account_id, phone };
}

interface NoPhoneProps extends PartProps {
  readonly store: PhoneStore;
  readonly actions: PhoneActions;
}

function NoPhone({ account, store, actions }: NoPhoneProps) {
  const state = account.state.value;
  const { delivery_email, email = '' } =
    state?.realm_users?.find(({ user_id }) => user_id === account.user_id) ?? {};
  if (selection.value) return <Empty icon="smartphone" title={strings.unknownPhone} />;
  if (store.isSandbox.value && store.phones.value.length === 0)
    return (
      <Empty icon="smartphone" title={strings.noPhones}>
        <p>{strings.noPhonesText}</p>
        <Button kind="primary" icon="plus" onClick={() => void actions.add('fcm')}>
          {strings.addFirst}
        </Button>
      </Empty>
    );
  if (store.isSandbox.value)
    return (
      <Empty icon="smartphone" title={strings.chooseTitle} command={strings.pushCommand}>
        <p>{strings.chooseText}</p>
        <Button icon="bell" onClick={() => void actions.test()}>
          {strings.testAll}
        </Button>
      </Empty>
    );
  if (Object.keys(state?.push_devices ?? {}).length > 0)
    return (
      <Empty icon="smartphone" title={strings.chooseDevice}>
        <p>{strings.chooseDeviceText}</p>
      </Empty>
    );
  if (state?.realm_push_notifications_enabled === false)
    return (
      <Empty icon="smartphone" title={strings.noPhones} command={strings.bouncerCommand}>
        <p>{strings.noBouncerText}</p>
      </Empty>
    );
  return (
    <Empty
      icon="smartphone"
      title={strings.noPhones}
      command={strings.addCommand(location.origin, delivery_email ?? email)}
    >
      <p>{strings.noSandboxText}</p>
    </Empty>
  );
}
