import { z } from 'zod';

/** What a public chat server makes of the answer to a registration. */
type RegistrationResult =
  | { readonly is: 'active' }
  /** It asks again. */
  | { readonly is: 'pending'; readonly why: string }
  /** For good: the phone has to do something. */
  | { readonly is: 'failed'; readonly code: string };

/** What its validator requires; without it the worker ends with an exception. */
const NotifyAnswer = z.object({
  apple_successfully_sent_count: z.int(),
  android_successfully_sent_count: z.int(),
  delete_token_ids: z.array(z.base64()),
  realm_push_status: z.object({
    can_push: z.boolean(),
    expected_end_timestamp: z.int().nullable(),
  }),
});
type NotifyAnswer = z.output<typeof NotifyAnswer>;
const ErrorAnswer = z.object({ result: z.literal('error'), msg: z.string(), code: z.string() });

/** Codes of 4xx for which it asks again. */
const repeatedCodes = new Set([
  'MISSING_REMOTE_REALM',
  'INVALID_ZULIP_SERVER',
  'PUSH_NOTIFICATIONS_DISALLOWED',
]);
/** Codes that the phone gets; it gets BAD_REQUEST for all others. */
const toldCodes = new Set(['INVALID_BOUNCER_PUBLIC_KEY', 'REQUEST_EXPIRED']);

/** The record of a phone. */
export interface PublicDevice {
  readonly kind: 'apns' | 'fcm';
  push_key_id: number;
  push_token_id: string | null;
  pending_push_token_id: string | null;
  push_registration_error_code: string | null;
}

interface PublicServerOptions {
  readonly url: string;
  readonly orgId: string;
  readonly orgKey: string;
  readonly realmUuid: string;
}
interface Registration {
  readonly token_id: string;
  readonly encrypted_push_registration: string;
  readonly bouncer_public_key: string;
}
interface PublicMessage {
  readonly device: PublicDevice;
  /** The key that it is encrypted with. */
  readonly push_key_id: number;
  readonly encrypted_data: string;
  readonly isRemoval?: boolean;
}

/**
 * A public chat server of level 468 or later, as a bouncer sees it: written from the description of the
 * protocol, over plain HTTP, with nothing of Bellhop's chat server and clients.
 */
export class PublicServer {
  readonly #options: PublicServerOptions;

  constructor(options: PublicServerOptions) {
    this.#options = options;
  }

  /** Makes one request, and keeps its result in the record. */
  async register(device: PublicDevice, registration: Registration): Promise<RegistrationResult> {
    device.pending_push_token_id = registration.token_id;
    device.push_registration_error_code = null;
    const { realmUuid: realm_uuid } = this.#options;
    const form = new URLSearchParams({ realm_uuid, ...registration });
    const result = await resultOf(() => this.post('push/e2ee/register', form));
    if (result.is === 'failed') device.push_registration_error_code = result.code;
    if (result.is !== 'active') return result;
    device.push_token_id = registration.token_id;
    device.pending_push_token_id = null;
    return result;
  }

  /**
   * Sends to phones of one user, and forgets the tokens that the bouncer calls dead. Throws where the worker of
   * such a server would lose the notifications.
   */
  async notify(messages: readonly PublicMessage[]): Promise<NotifyAnswer> {
    const push_requests = messages.flatMap((message) => {
      const { push_token_id } = message.device;
      return push_token_id === null ? [] : [itemOf(message, push_token_id)];
    });
    const response = await this.post(
      'push/e2ee/notify',
      JSON.stringify({ realm_uuid: this.#options.realmUuid, push_requests }),
    );
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    const answer = NotifyAnswer.parse(JSON.parse(text));
    for (const { device } of messages)
      if (answer.delete_token_ids.includes(device.push_token_id ?? '')) device.push_token_id = null;
    return answer;
  }

  post(path: string, body: URLSearchParams | string): Promise<Response> {
    const { url, orgId, orgKey } = this.#options;
    return fetch(`${url}/api/v1/remotes/${path}`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Basic ${btoa(`${orgId}:${orgKey}`)}`,
        'user-agent': 'ZulipServer/12.1',
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      signal: AbortSignal.timeout(15_000),
    });
  }
}

/** Throws for an answer with which its job ends with an exception. */
async function resultOf(ask: () => Promise<Response>): Promise<RegistrationResult> {
  const response = await ask().catch((error: unknown) => String(error));
  if (typeof response === 'string') return { is: 'pending', why: response };
  const { status } = response;
  const text = await response.text();
  if (status >= 500) return { is: 'pending', why: String(status) };
  if (status === 200) return { is: 'active' };
  if (status < 400) return { is: 'pending', why: String(status) };
  const { code } = ErrorAnswer.parse(JSON.parse(text));
  if (repeatedCodes.has(code)) return { is: 'pending', why: code };
  return { is: 'failed', code: toldCodes.has(code) ? code : 'BAD_REQUEST' };
}

function itemOf(message: PublicMessage, token_id: string) {
  const { device, push_key_id, encrypted_data, isRemoval = false } = message;
  if (device.kind === 'fcm')
    return {
      token_id,
      fcm_priority: isRemoval ? 'normal' : 'high',
      payload: { push_key_id, encrypted_data },
    };
  const shown = { alert: { title: 'New notification' }, sound: 'default' };
  return {
    token_id,
    http_headers: isRemoval
      ? { apns_priority: 5, apns_push_type: 'background' }
      : { apns_priority: 10, apns_push_type: 'alert' },
    payload: {
      push_key_id,
      encrypted_data,
      aps: { 'mutable-content': 1, ...(isRemoval ? {} : shown) },
    },
  };
}
