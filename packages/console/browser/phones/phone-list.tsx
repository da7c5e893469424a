import type { TokenKind } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { href, path } from '../navigation/location.ts';
import { kindNames, registrationNames } from './names.ts';
import type { PhoneActions } from './phone-actions.ts';
import { hrefOf, OVERVIEW, type Selection, selection } from './selection.ts';
import type { PhoneStore } from './store.ts';
import { registrationOf, targetsOf } from './target.ts';

const addShort = { fcm: 'Android', apns: 'iPhone', webpush: 'Browser' };

const addLabels = { fcm: 'Add Android phone', apns: 'Add iPhone', webpush: 'Add browser' };

const kinds = ['fcm', 'apns', 'webpush'] as const satisfies readonly TokenKind[];

interface PhoneListProps {
  readonly account: LiveAccount;
  readonly store: PhoneStore;
  readonly actions: PhoneActions;
  readonly onFaults: () => void;
}

/** The simulated phones of the account, and its devices of other programs. */
export function PhoneList({ account, store, actions, onFaults }: PhoneListProps) {
  const phones = store.phones.value;
  const state = account.state.value;
  const devices = targetsOf(phones, state).filter(({ phone }) => !phone);
  const isOverview = path.value[1] === undefined || path.value[1] === OVERVIEW;
  return (
    <div class="nav-list phone-list">
      <a
        class="nav-entry"
        href={href(['phones', OVERVIEW])}
        aria-current={isOverview ? 'page' : undefined}
      >
        <Icon name="info" />
        Overview
      </a>
      {store.isSandbox.value && (
        <>
          <h2>Simulated phones</h2>
          <ul role="list">
            {phones.map(({ name, token_kind, is_installed, is_online }) => (
              <Entry key={name} to={{ kind: 'phone', name }} isOn={is_installed && is_online}>
                <span class="grow clip">{name}</span>
                <span class="muted time">
                  {is_installed
                    ? is_online
                      ? kindNames[token_kind]
                      : 'offline'
                    : 'app uninstalled'}
                </span>
              </Entry>
            ))}
          </ul>
          <AddButtons actions={actions} />
        </>
      )}
      {devices.length > 0 && (
        <>
          <h2>Other devices</h2>
          <ul role="list">
            {devices.map((device) => {
              const { to, name } = device;
              const { status = 'none' } = registrationOf(state, device) ?? {};
              return (
                <Entry key={hrefOf(to)} to={to} isOn={status === 'active'}>
                  <span class="grow clip">{name}</span>
                  <span class="muted time">{registrationNames[status]}</span>
                </Entry>
              );
            })}
          </ul>
        </>
      )}
      {store.isSandbox.value && (
        <div class="list-foot">
          <Button icon="zap" onClick={onFaults}>
            Provider faults
          </Button>
        </div>
      )}
    </div>
  );
}

interface EntryProps {
  readonly to: Selection;
  readonly isOn: boolean;
  readonly children: preact.ComponentChildren;
}

const Entry = ({ to, isOn, children }: EntryProps) => (
  <li>
    <a
      class="nav-entry"
      href={hrefOf(to)}
      aria-current={JSON.stringify(selection.value) === JSON.stringify(to) ? 'page' : undefined}
    >
      <i class={isOn ? 'dot on' : 'dot'} />
      {children}
    </a>
  </li>
);

/** One click adds a phone of this kind. */
function AddButtons({ actions }: { actions: PhoneActions }) {
  const adding = useSignal<TokenKind | undefined>(undefined);
  const add = (kind: TokenKind) => {
    adding.value = kind;
    void actions.add(kind).finally(() => (adding.value = undefined));
  };
  return (
    <div class="add-phones" role="group" aria-label="Add">
      {kinds.map((kind) => (
        <Button
          key={kind}
          icon="plus"
          aria-label={addLabels[kind]}
          isBusy={adding.value === kind}
          disabled={adding.value !== undefined}
          onClick={() => add(kind)}
        >
          {addShort[kind]}
        </Button>
      ))}
    </div>
  );
}
