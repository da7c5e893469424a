import { newChannel, type PermissionCases } from '../../permission-case.fixture.ts';

export const permissions: PermissionCases = {
  'POST /typing: post in the channel': async (chat, caller) => {
    const { id } = await newChannel(chat, caller);
    return {
      channel_id: id,
      sample: { type: 'channel', op: 'start', stream_id: String(id), topic: 'news' },
    };
  },
};
