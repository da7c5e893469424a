import type { InitialState, MessageId } from '@bellhop/protocol';

import type { LiveAccount } from '../../live/live-account.ts';
import type { Destination } from './destination.ts';

type Settings = Pick<
  InitialState,
  | 'user_settings'
  | 'server_typing_started_wait_period_milliseconds'
  | 'server_typing_stopped_wait_period_milliseconds'
>;

export interface TypingNotice {
  /** Call for every change of the text. */
  readonly typed: () => void;
  /** Call when the message is sent, emptied or left. */
  readonly stopped: () => void;
}

/** The notices that the user writes a message. */
export function typingNotice(account: LiveAccount, to: Destination): TypingNotice {
  const place =
    to.type === 'channel'
      ? { type: 'channel' as const, stream_id: to.channel as never, topic: to.topic }
      : { type: 'direct' as const, to: to.users as never };
  return repeatedNotice(account, to.type, (op) => account.client.typing.send({ op, ...place }));
}

/** The notices that the user edits a message. */
export function editNotice(
  account: LiveAccount,
  message: { readonly id: MessageId; readonly stream_id?: number | undefined },
): TypingNotice {
  const type = message.stream_id === undefined ? 'direct' : 'channel';
  const params = { message_id: message.id };
  return repeatedNotice(account, type, (op) => account.client.typing.edit({ op, ...params }));
}

/**
 * Sends notices: again every few seconds while the user types, and once when they have paused or sent
 * (spec, Typing). Sends none if the user has switched them off.
 */
function repeatedNotice(
  account: LiveAccount,
  type: Destination['type'],
  send: (op: 'start' | 'stop') => Promise<unknown>,
): TypingNotice {
  let saidAt = -Infinity;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const say = (op: 'start' | 'stop') => {
    // A lost notice has no effect: the next one repeats it.
    if (isWanted(account.state.peek(), type)) send(op).catch(() => undefined);
  };
  const stopped = () => {
    clearTimeout(pause);
    if (saidAt === -Infinity) return;
    saidAt = -Infinity;
    say('stop');
  };
  return {
    stopped,
    typed: () => {
      const settings = account.state.peek();
      if (!settings) return;
      const { again, idle } = periodsOf(settings);
      clearTimeout(pause);
      pause = setTimeout(stopped, idle);
      if (performance.now() - saidAt < again) return;
      saidAt = performance.now();
      say('start');
    },
  };
}

const periodsOf = (settings: Settings) => ({
  again: settings.server_typing_started_wait_period_milliseconds ?? 10_000,
  idle: settings.server_typing_stopped_wait_period_milliseconds ?? 5000,
});

function isWanted(state: Settings | undefined, type: Destination['type']): boolean {
  const settings = state?.user_settings;
  return type === 'channel'
    ? settings?.send_stream_typing_notifications !== false
    : settings?.send_private_typing_notifications !== false;
}
