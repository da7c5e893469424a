import type { MessageId, RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface BotDeliveriesTables {
  bot_delivery: {
    realm_id: RealmId;
    id: string;
    bot_id: UserId;
    service_id: number;
    /** The owner of the bot when the delivery was made. */
    owner_id: UserId | null;
    message_id: MessageId | null;
    trigger: string;
    /** The beginning of the message, or of the message in the payload of a replay or a test. */
    excerpt: Generated<string>;
    status: string;
    created_at: Date;
    attempt_count: Generated<number>;
    next_attempt_at: Date | null;
    duration_ms: number | null;
    http_status: number | null;
    error_code: string | null;
    verdict: string;
    /** The verdict with what the endpoint said, for the owner; null: the same as for others. */
    owner_verdict: string | null;
    reply_outcome: Generated<string>;
    reply_message_id: MessageId | null;
    reply_reason: string | null;
    replay_of: string | null;
    replay_id: string | null;
    replay_payload: string | null;
    sends_reply: Generated<boolean>;
  };
  bot_delivery_attempt: {
    realm_id: RealmId;
    delivery_id: string;
    number: number;
    started_at: Date;
    /** JSON. */
    timing: object | null;
    url: string;
    request_headers: object;
    payload: string;
    response_status: number | null;
    response_headers: object | null;
    response_body: string | null;
    truncated: Generated<boolean>;
    error_code: string | null;
    near: string | null;
    verdict: string;
    owner_verdict: string | null;
  };
}
