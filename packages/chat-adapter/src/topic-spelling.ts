import { foldCase } from '@bellhop/protocol/plain';
import type { StateAdapter } from 'chat';

import { NAME } from './adapter-config.ts';
import { type BellhopThreadId, encodeThreadId } from './thread-id.ts';

const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * The ID of a thread. For the server, topics that differ in letter case are the same: they get one ID, with the
 * topic as it was written first. Otherwise `Lunch` would leave the subscription to `lunch`.
 */
export async function threadIdIn(state: StateAdapter, thread: BellhopThreadId): Promise<string> {
  if ('userIds' in thread) return encodeThreadId(thread);
  const { channelId, topic } = thread;
  const key = `${NAME}:topic:${channelId}:${foldCase(topic)}`;
  const known = await state.get<string>(key);
  if (known !== null) return encodeThreadId({ channelId, topic: known });
  const isFirst = await state.setIfNotExists(key, topic, KEPT_MS);
  const first = isFirst ? topic : ((await state.get<string>(key)) ?? topic);
  return encodeThreadId({ channelId, topic: first });
}
