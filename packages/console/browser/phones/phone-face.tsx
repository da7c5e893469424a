import type { SandboxArrival, SandboxPhone } from '@bellhop/protocol';

import { Icon } from '../controls/icon.tsx';
import { Time } from '../controls/time.tsx';
import { go } from '../navigation/location.ts';
import { kindNames, typeNames } from './names.ts';
import { hrefOf } from './selection.ts';

/** The screen of a phone. A press on a push opens it. */
export function PhoneFace({ phone }: { phone: SandboxPhone }) {
  const { name, token_kind, is_online, is_installed } = phone;
  const shown = shownOn(phone);
  return (
    <section class={`phone-face ${token_kind}`} aria-label={`Screen of ${name}`}>
      <div class="phone-bar">
        <span>{kindNames[token_kind]}</span>
        <span class="grow" />
        <span>{is_installed ? (is_online ? 'online' : 'offline') : '-'}</span>
      </div>
      <ol class="phone-screen" role="list" aria-live="polite">
        {shown.length === 0 && (
          <li class="phone-nothing">
            <Icon name="bell" />
            {is_installed ? 'No notifications' : 'app uninstalled'}
          </li>
        )}
        {shown.map((arrival) => (
          <li key={arrival.seq}>
            <button
              type="button"
              class={arrival.payload ? 'phone-note' : 'phone-note refused'}
              disabled={arrival.cipher_id === null}
              onClick={() => go(hrefOf({ kind: 'phone', name }, arrival.cipher_id ?? ''))}
            >
              <span class="row">
                <b class="grow clip">{titleOf(arrival)}</b>
                <Time seconds={Date.parse(arrival.received_at) / 1000} short />
              </span>
              <span class="phone-note-where clip">{placeOf(arrival)}</span>
              <span class="phone-note-text">{textOf(arrival)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

const MAX_SHOWN = 30;

/**
 * The notifications on the screen, newest first. A removal removes those of messages read
 * elsewhere.
 */
function shownOn({ inbox }: SandboxPhone): readonly SandboxArrival[] {
  const removed = new Set<number>();
  const shown: SandboxArrival[] = [];
  for (const arrival of inbox.toReversed()) {
    const { payload } = arrival;
    if (payload?.type === 'remove') for (const id of payload.message_ids) removed.add(id);
    else if (payload?.type === 'message') {
      // A phone shows a message that arrived twice once.
      if (!removed.has(payload.message_id)) shown.push(arrival);
      removed.add(payload.message_id);
    } else shown.push(arrival);
  }
  return shown.slice(0, MAX_SHOWN);
}

function titleOf({ payload }: SandboxArrival): string {
  if (payload?.type === 'message') return payload.sender_full_name;
  return payload?.realm_name ?? 'Cannot be displayed';
}

function placeOf({ payload }: SandboxArrival): string {
  if (payload?.type !== 'message') return payload ? typeNames[payload.type] : '';
  return payload.recipient_type === 'channel'
    ? `#${payload.channel_name} > ${payload.topic}`
    : payload.realm_name;
}

function textOf({ payload, refused }: SandboxArrival): string {
  if (payload?.type === 'message') return payload.content;
  return payload ? 'Notifications work.' : (refused ?? '');
}
