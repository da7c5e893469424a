import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  addClientDevice,
  Device,
  type DeviceIdentity,
  newIdentity,
  type PushGeneration,
  withNewKey,
} from '@bellhop/device';
import { appDataOf, type Notification, type PushSimulator } from '@bellhop/push-simulator';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';

import { type PhoneKind, phoneKinds } from '../support/push-server.ts';
import { newOrgKey } from '../support/push-stack.ts';

const generations = ['account', 'device'] as const satisfies readonly PushGeneration[];
const PHONES_OF_EACH = 6;
const SEND_EVERY_MS = 50;
const ROTATE_EVERY_MS = { account: 4_000, device: 1_500 };
/** A user has at most 50 devices by push_account_id, those included that have ended. */
const MAX_CHANGES = { account: 40, device: Infinity };

/** A phone of a person of its own, to whom all messages to it go. */
interface ChatPhone {
  readonly name: string;
  readonly generation: PushGeneration;
  readonly kind: PhoneKind;
  readonly person: Person;
  token: { readonly token: string; readonly app_id: string };
  identity: DeviceIdentity;
  /** No message to it begins meanwhile. */
  isPaused: boolean;
  /** A message to it has no answer yet. */
  isAwaited: boolean;
  rotations: number;
  /** The messages whose sending was answered. */
  readonly sent: number[];
  /** The ciphertexts that it got of each message, once each. */
  readonly shown: Map<number, Set<string>>;
  /** What it could not decrypt. */
  readonly unreadable: string[];
}

/** A chat server and its phones of both generations, whose keys and tokens change all the time. */
export interface ChatPhones extends AsyncDisposable {
  /** Ends the messages and the changes. Rejects if one of them failed. */
  readonly stop: () => Promise<void>;
  readonly acknowledged: () => readonly string[];
  readonly missing: () => readonly string[];
  /** The messages that a phone got encrypted anew: the server has sent them twice. */
  readonly doubled: () => readonly string[];
  readonly figures: () => readonly string[];
  readonly problems: () => readonly string[];
}

interface ChatPhonesOptions {
  readonly simulator: PushSimulator;
  readonly publicKey: string;
  /** Address of the bouncer. */
  readonly url: string;
}

/**
 * A phone of the generation device changes key and token while messages are on their way. One of the
 * generation account, which is a new phone to the server after each change, waits until nothing is.
 * Former tokens stay good: what a bouncer has in its queue for a dead one is lost.
 */
export async function startChatPhones(options: ChatPhonesOptions): Promise<ChatPhones> {
  const { simulator, publicKey, url } = options;
  const chat = await startTestChat({
    env: {
      BELLHOP_BOUNCER_URL: url,
      BELLHOP_BOUNCER_ORG_ID: randomUUID(),
      BELLHOP_BOUNCER_ORG_KEY: newOrgKey(),
    },
  });
  const ending = new AbortController();

  const deviceOf = ({ person, kind, token, identity }: ChatPhone) =>
    new Device({
      client: person.client,
      token:
        kind === 'apns'
          ? { kind, token: token.token, iosAppId: token.app_id }
          : { kind, token: token.token },
      bouncerPublicKey: publicKey,
      identity,
    });
  function newToken(phone: ChatPhone): void {
    phone.token = simulator.addDevice({ kind: phone.kind });
    simulator.devices.listen(phone.token.token, (notification) => receive(phone, notification));
  }
  function receive(phone: ChatPhone, notification: Notification): void {
    const { received, fields } = appDataOf(notification);
    const ciphertext = String(fields['encrypted_data']);
    try {
      const payload = deviceOf(phone).receive(received);
      if (payload.type !== 'message') return;
      const ciphertexts = phone.shown.get(payload.message_id) ?? new Set();
      phone.shown.set(payload.message_id, ciphertexts.add(ciphertext));
    } catch (error) {
      // The bouncer has sent it again, and the phone has another key since it read it.
      if ([...phone.shown.values()].some((texts) => texts.has(ciphertext))) return;
      phone.unreadable.push(`${phone.name}: ${String(error)}`);
    }
  }
  async function register(phone: ChatPhone): Promise<void> {
    for (;;)
      try {
        return await deviceOf(phone).register();
      } catch (error) {
        // The bouncer was away for long.
        if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
      }
  }

  const phones: ChatPhone[] = [];
  for (const generation of generations)
    for (let at = 0; at < PHONES_OF_EACH; at++) {
      const name = `${generation} ${at}`;
      const kind = phoneKinds[at % phoneKinds.length] ?? 'apns';
      const person = await chat.addPerson(name);
      const identity =
        generation === 'device' ? await addClientDevice(person.client) : newIdentity();
      const phone: ChatPhone = {
        name,
        generation,
        kind,
        person,
        token: { token: '', app_id: '' },
        identity,
        isPaused: false,
        isAwaited: false,
        rotations: 0,
        sent: [],
        shown: new Map(),
        unreadable: [],
      };
      newToken(phone);
      await register(phone);
      phones.push(phone);
    }

  async function send(): Promise<void> {
    const { client } = chat.people.cordelia;
    for (let turn = 0; !ending.signal.aborted; turn++) {
      const phone = phones[turn % phones.length];
      if (phone && !phone.isPaused) {
        const to = [phone.person.user.id];
        const message = { type: 'direct', to, content: `message ${turn}` } as const;
        phone.isAwaited = true;
        phone.sent.push((await client.messages.send(message)).id);
        phone.isAwaited = false;
      }
      await sleep(SEND_EVERY_MS);
    }
  }

  async function rotate(phone: ChatPhone, turn: number): Promise<void> {
    const former = phone.identity;
    if (turn % 3 !== 1 || phone.generation === 'account') phone.identity = changed(former);
    if (turn % 3 !== 0) newToken(phone);
    await register(phone);
    // With another token the server cannot know that it is the same phone.
    if (!('device_id' in former) && turn % 3 !== 0)
      await phone.person.client.devices.unregisterPush({
        push_account_id: BigInt(former.push_account_id),
      });
    phone.rotations++;
  }

  async function keepRotating(phone: ChatPhone, index: number): Promise<void> {
    const every = ROTATE_EVERY_MS[phone.generation];
    await sleep((index * every) / phones.length);
    for (let turn = 0; !ending.signal.aborted && turn < MAX_CHANGES[phone.generation]; turn++) {
      phone.isPaused = phone.generation === 'account';
      if (!phone.isPaused || (await isQuiet(chat, phone, ending.signal))) await rotate(phone, turn);
      phone.isPaused = false;
      await sleep(every);
    }
  }
  const working = Promise.all([send(), ...phones.map(keepRotating)]);
  // It is awaited by `stop`.
  working.catch(() => undefined);

  const missingOf = ({ name, sent, shown }: ChatPhone) =>
    sent.filter((id) => !shown.has(id)).map((id) => `message ${id} to the phone ${name}`);
  return {
    stop: async () => {
      ending.abort();
      await working;
    },
    acknowledged: () => phones.flatMap(({ name, sent }) => sent.map((id) => `${id} to ${name}`)),
    missing: () => phones.flatMap(missingOf),
    doubled: () =>
      phones.flatMap(({ name, shown }) =>
        [...shown]
          .filter(([, ciphertexts]) => ciphertexts.size > 1)
          .map(([id]) => `message ${id} to the phone ${name}`),
      ),
    figures: () =>
      generations.map((generation) => {
        const own = phones.filter((phone) => phone.generation === generation);
        const sum = (count: (phone: ChatPhone) => number) =>
          own.reduce((total, phone) => total + count(phone), 0);
        return `chat server, generation ${generation}: ${own.length} phones, ${sum(({ sent }) => sent.length)} messages, ${sum((phone) => missingOf(phone).length)} lost, ${sum(({ rotations }) => rotations)} changes of key or token`;
      }),
    problems: () => [
      ...phones.flatMap(({ unreadable }) => unreadable),
      ...phones
        .filter(({ rotations, sent }) => rotations === 0 || sent.length === 0)
        .map(({ name }) => `the phone ${name} has got no message, or never changed`),
    ],
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await working.catch(() => undefined);
      await chat[Symbol.asyncDispose]();
    },
  };
}

/** With a new key. A phone by device_id keeps all former ones here: a notification may be late by minutes. */
const changed = (identity: DeviceIdentity): DeviceIdentity =>
  'device_id' in identity
    ? { ...withNewKey(identity), older_keys: [identity.key, ...identity.older_keys] }
    : withNewKey(identity);

/** Waits until all messages to a phone have arrived and their jobs have ended. False when it is over. */
async function isQuiet(chat: TestChat, phone: ChatPhone, signal: AbortSignal): Promise<boolean> {
  for (; !signal.aborted; await sleep(100)) {
    if (phone.isAwaited || !phone.sent.every((id) => phone.shown.has(id))) continue;
    const { rows } = await sql`select from job where name = 'push_message'
      and state in ('queued', 'running')
      and payload->'user_ids' @> ${JSON.stringify([phone.person.user.id])}::jsonb`.execute(
      chat.server.app.db.kysely,
    );
    if (rows.length === 0) return true;
  }
  return false;
}
