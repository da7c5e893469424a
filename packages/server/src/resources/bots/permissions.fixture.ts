import { roles } from '@bellhop/protocol';

import type { PermissionCases } from '../../permission-case.fixture.ts';

let bots = 0;
const newBot = (bot_type: 1 | 2 | 3) => {
  bots += 1;
  return {
    full_name: `Case ${bots}`,
    short_name: `case-${bots}`,
    bot_type: String(bot_type),
    ...(bot_type === 3 ? { payload_url: 'http://127.0.0.1:9999/' } : {}),
  };
};

export const permissions: PermissionCases = {
  'POST /bots: create a generic bot': async () => ({ sample: newBot(1) }),
  'POST /bots: create an incoming webhook bot': async () => ({ sample: newBot(2) }),
  'POST /bots: create an outgoing webhook bot': async () => ({ sample: newBot(3) }),
  'PATCH /bots/{bot_id}: change the role of a bot': async ({ people }, { client }) => {
    const { full_name, short_name } = newBot(1);
    const owner = await client.bots
      .create({ full_name, short_name })
      .catch(() => people.hamlet.client.bots.create({ full_name, short_name }));
    return { sample: { bot_id: String(owner.user_id), role: String(roles.moderator) } };
  },
};
