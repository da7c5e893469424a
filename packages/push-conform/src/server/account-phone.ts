import { payloadCipher } from '@bellhop/push-crypto';

import { newAccountId, registrationOf, sealed } from '../boxes.ts';
import { Deviation } from '../check.ts';
import { requireSuccess, type ProbeResponse } from '../send.ts';
import type { TokenKind } from '../simulator-control.ts';
import { AppOnPhone, TEST_PATH } from './app-on-phone.ts';
import type { PushEvent, Queue, ServerTarget } from './server-target.ts';

/** The state of a device: in an event or in `push_devices`. */
export interface AccountState {
  readonly status: unknown;
  readonly error_code: unknown;
}

export const describeState = ({ status, error_code }: PushEvent | AccountState) =>
  `${String(status)}${error_code == null ? '' : ` ${JSON.stringify(error_code)}`}`;

/** A phone of levels 406 to 467: one account with its keys. */
export class AccountPhone extends AppOnPhone {
  readonly generation = 'account';
  readonly accountId = newAccountId();
  readonly key = payloadCipher.createKey();

  get keyName() {
    return ['push_account_id', this.accountId] as const;
  }

  /** Sends the registration with the given fields instead of the right ones. */
  register(changes: object = {}): Promise<ProbeResponse> {
    const { bouncerPublicKey } = this.target.options;
    this.target.addedAccounts.add(this.accountId);
    return this.target.call('POST', '/mobile_push/register', {
      token_kind: this.installed.token_kind,
      push_account_id: this.accountId,
      push_public_key: this.key.push_key,
      bouncer_public_key: bouncerPublicKey,
      encrypted_push_registration: sealed(registrationOf(this.installed), bouncerPublicKey),
      ...changes,
    });
  }

  /** Registers and waits for the event with the decision of the bouncer. */
  async registered(changes: object = {}): Promise<PushEvent> {
    const queue = await this.target.openQueue('push_device');
    try {
      requireSuccess(await this.register(changes));
      return await this.decision(queue);
    } finally {
      await this.target.close(queue);
    }
  }

  /** The next event of this account. Throws `Deviation` if none comes in time. */
  decision(queue: Queue): Promise<PushEvent> {
    const id = String(this.accountId);
    return this.target.nextEvent(
      queue,
      ({ type, push_account_id }) => type === 'push_device' && push_account_id === id,
      `push_device event for ${id}`,
    );
  }

  /** Another account on the same phone, with other keys. */
  otherAccount(): AccountPhone {
    return new AccountPhone(this.target, this.installed);
  }

  async state(): Promise<AccountState | undefined> {
    return (await this.target.devices<AccountState>('push_device'))[String(this.accountId)];
  }

  async standing() {
    const state = await this.state();
    return {
      isActive: state?.status === 'active',
      words: state ? describeState(state) : 'not in push_devices',
    };
  }

  test(): Promise<ProbeResponse> {
    return this.target.call('POST', TEST_PATH, { push_account_id: this.accountId });
  }

  protected open(data: string): unknown {
    return payloadCipher.decrypt(data, this.key);
  }
}

/** A new phone with keys, not registered yet. */
export async function newAccount(target: ServerTarget, kind: TokenKind): Promise<AccountPhone> {
  const device = await target.simulator.addDevice(kind);
  return new AccountPhone(target, { ...device, token_kind: kind });
}

/** A phone that the bouncer has accepted. */
export async function activeAccount(target: ServerTarget, kind: TokenKind): Promise<AccountPhone> {
  const phone = await newAccount(target, kind);
  const event = await phone.registered();
  if (event['status'] === 'active') return phone;
  throw new Deviation(`a good registration ended as ${describeState(event)}`);
}
