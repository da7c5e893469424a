export const email = 'deploy-bot@chat.test';
export const token = 'k3yQ0sT7vWm2xZp9Lr4uNb6cHd8eGf1a';

/** A mention of the bot of exactly 1,280 bytes. */
export function payload(givenToken: string): string {
  const short = JSON.stringify(delivery(givenToken, ''));
  return JSON.stringify(delivery(givenToken, 'x'.repeat(1280 - short.length)));
}

function delivery(givenToken: string, padding: string) {
  const content = '@**Deploy Bot** deploy main';
  return {
    bot_email: email,
    bot_full_name: 'Deploy Bot',
    data: content,
    trigger: 'mention',
    token: givenToken,
    message: {
      id: 4711,
      type: 'stream',
      stream_id: 3,
      display_recipient: 'ops',
      subject: 'releases',
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
