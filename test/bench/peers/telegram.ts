import { type AppRequest, padded } from '../dispatch/app.ts';

export const secretToken = 'a-secret-of-the-webhook';

/** The bot's profile, which a bot would otherwise fetch from the platform. */
export const botInfo = {
  id: 1,
  is_bot: true as const,
  first_name: 'Deploy Bot',
  username: 'deploy_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
  can_manage_bots: false,
  supports_inline_queries: false,
  supports_join_request_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
};

/** The nth update: a command in one of 200 chats. */
export function update(n: number, padding: string) {
  return {
    update_id: 1_000_001 + n,
    message: {
      message_id: n + 1,
      date: 1_790_000_000,
      chat: { id: 1 + (n % 200), type: 'private' as const, first_name: 'Iago' },
      from: { id: 7, is_bot: false, first_name: 'Iago', last_name: padding },
      text: '/deploy main',
      entities: [{ type: 'bot_command' as const, offset: 0, length: 7 }],
    },
  };
}

export function updateRequest(n: number, genuine: boolean): AppRequest {
  const headers = {
    'content-type': 'application/json',
    'x-telegram-bot-api-secret-token': genuine ? secretToken : 'a-wrong-one-of-the-same',
  };
  return { headers, body: padded((padding) => JSON.stringify(update(n, padding))) };
}
