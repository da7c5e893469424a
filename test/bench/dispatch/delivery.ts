import { timingSafeEqual } from 'node:crypto';

import { type AppRequest, padded } from './app.ts';

export const email = 'deploy-bot@chat.test';
export const token = 'k3yQ0sT7vWm2xZp9Lr4uNb6cHd8eGf1a';
const CONVERSATIONS = 200;

/** The fields of a delivery that the minimal apps read. */
export interface Delivery {
  readonly token: string;
  readonly message: { readonly content: string };
}

/** The nth delivery: a new message that mentions the bot in one of 200 topics. */
export function delivery(n: number, givenToken: string, padding: string) {
  const content = '@**Deploy Bot** deploy main';
  return {
    bot_email: email,
    bot_full_name: 'Deploy Bot',
    data: content,
    trigger: 'mention',
    token: givenToken,
    message: {
      id: 1_000_001 + n,
      type: 'stream',
      stream_id: 3,
      display_recipient: 'ops',
      subject: `release ${n % CONVERSATIONS}`,
      content,
      content_type: 'text/x-markdown',
      rendered_content: `<p>${padding}</p>`,
      sender_id: 7,
      sender_email: 'iago@chat.test',
      sender_full_name: 'Iago',
      sender_realm_str: 'chat',
      avatar_url: 'https://chat.test/user_avatars/7.png',
      client: 'website',
      recipient_id: 12,
      timestamp: 1_790_000_000,
      is_me_message: false,
      reactions: [],
      submessages: [],
      topic_links: [],
    },
  };
}

export function deliveryRequest(n: number, genuine: boolean): AppRequest {
  const given = genuine ? token : token.toLowerCase();
  const body = padded((padding) => JSON.stringify(delivery(n, given, padding)));
  return { headers: { 'content-type': 'application/json' }, body };
}

const secret = Buffer.from(token);

/** Whether the token is right, compared in constant time. */
export const isToken = (given: string) =>
  given.length === secret.length && timingSafeEqual(Buffer.from(given), secret);

/** The response of a minimal app. */
export const responseTo = ({ message }: Delivery) => ({
  content: `Deployed ${message.content.length}`,
});
