import { createHash } from 'node:crypto';

import {
  type Api,
  ApiError,
  badRequest,
  checkContent,
  type ParamsOf,
  type Submessage,
  shownTopic,
} from '@bellhop/protocol';

import type { Call, Resource } from '../call.ts';
import type { Conversation } from '../conversation.ts';
import { canPost, noSuchChannel } from '../recipients.ts';
import { renderContent } from '../render-content.ts';
import { audienceOf, flagsOf, readable, type StoredMessage } from '../stored-message.ts';

type EditCall = Call<ParamsOf<Api['messages']['edit']>>;
type Event = Readonly<Record<string, unknown>>;

export const messageEdits = {
  edit(call) {
    const { params, user, world } = call;
    const message = readable(world, params.message_id, user);
    requireExpected(message, params.prev_content_sha256);
    const { content, topic, stream_id } = params;
    const moves = topic !== undefined || stream_id !== undefined;
    if (content === undefined && !moves) throw badRequest('Nothing to change');
    if (content !== undefined && stream_id !== undefined)
      throw badRequest('Cannot change message content while changing channel');
    const before = audienceOf(message);
    const { content: earlier } = message;
    const event: Event = {
      ...(content === undefined ? {} : editContent(call, message, content)),
      ...(moves ? move(call, message) : {}),
    };
    const message_ids = (event['message_ids'] ?? [message.id]) as readonly number[];
    const conversation = message.conversation;
    world.queues.publish({
      type: 'update_message',
      ...before,
      show: ({ user_id, capabilities }) => ({
        user_id: user.user_id,
        rendering_only: false,
        message_id: message.id,
        flags: flagsOf(message, user_id),
        edit_timestamp: world.now(),
        ...('channel' in conversation
          ? { stream_id: conversation.channel.stream_id, stream_name: conversation.channel.name }
          : {}),
        ...withTopics(event, capabilities.empty_topic_name),
        message_ids,
      }),
    });
    if (content !== undefined)
      world.onChange({ message, user, kind: 'edit', details: { orig_content: earlier } });
    return { detached_uploads: [] };
  },

  remove({ params, user, world }) {
    const message = readable(world, params.message_id, user);
    const { sender, conversation, id } = message;
    if (sender !== user && sender.bot?.owner !== user)
      throw badRequest("You don't have permission to delete this message");
    world.messages.splice(world.messages.indexOf(message), 1);
    const where =
      'channel' in conversation
        ? {
            message_type: 'stream',
            stream_id: conversation.channel.stream_id,
            topic: conversation.topic,
          }
        : { message_type: 'private' };
    world.queues.publish({
      type: 'delete_message',
      ...audienceOf(message),
      show: ({ capabilities }) => ({
        ...withTopics(where, capabilities.empty_topic_name),
        ...(capabilities.bulk_message_deletion ? { message_ids: [id] } : { message_id: id }),
      }),
    });
    const gone = { ...message, content: '', rendered_content: '', edit_history: [] };
    world.onChange({ message: gone, user, kind: 'delete' });
    return {};
  },

  history({ params, user, world }) {
    const message = readable(world, params.message_id, user);
    const { conversation, edit_history, timestamp, sender } = message;
    let { content, rendered_content } = message;
    let topic = 'channel' in conversation ? conversation.topic : '';
    const shown = (text: string) =>
      'channel' in conversation ? shownTopic(text, params.allow_empty_topic_name) : '';
    const edits = edit_history.map((entry) => {
      const after = { ...entry, topic: shown(topic), content, rendered_content };
      topic = entry.prev_topic ?? topic;
      content = entry.prev_content ?? content;
      rendered_content = entry.prev_rendered_content ?? rendered_content;
      return after;
    });
    const original = { topic: shown(topic), content, rendered_content, timestamp };
    const user_id = sender.user_id;
    return { message_history: [...edits, { ...original, user_id }].toReversed() };
  },
} satisfies Partial<Resource<'messages'>>;

function requireExpected({ content }: StoredMessage, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  if (createHash('sha256').update(content).digest('hex') === sha256.toLowerCase()) return;
  throw new ApiError('EXPECTATION_MISMATCH', {
    message: 'The message was changed in the meantime; fetch it again.',
    data: { field_name: 'prev_content_sha256' },
  });
}

function editContent({ user, world }: EditCall, message: StoredMessage, given: string): Event {
  if (message.sender !== user) throw badRequest("You don't have permission to edit this message");
  const [widget] = message.submessages;
  if (widget !== undefined && !isForm(widget)) throw badRequest('Widgets cannot be edited.');
  // An edit ends a form.
  message.submessages.length = 0;
  const { content: prev_content, rendered_content: prev_rendered_content } = message;
  const content = checkContent(given.trim() === '' ? '(deleted)' : given);
  const { html, mentioned } = renderContent(content, world.accounts);
  const timestamp = world.now();
  const entry = { user_id: user.user_id, timestamp, prev_content, prev_rendered_content };
  message.edit_history.unshift(entry);
  message.last_edit_timestamp = timestamp;
  message.content = content;
  message.rendered_content = html;
  for (const [user_id, flags] of message.received) {
    flags.delete('mentioned');
    if ([...mentioned].some((one) => one.user_id === user_id)) flags.add('mentioned');
  }
  return {
    orig_content: prev_content,
    orig_rendered_content: prev_rendered_content,
    content,
    rendered_content: html,
    is_me_message: content.startsWith('/me '),
  };
}

const isForm = ({ content }: Pick<Submessage, 'content'>): boolean => {
  try {
    return JSON.parse(content).widget_type === 'zform';
  } catch {
    return false;
  }
};

function move({ params, user, world }: EditCall, message: StoredMessage): Event {
  const { conversation: from } = message;
  if (!('channel' in from)) throw badRequest('Direct messages cannot be moved to channels.');
  const channel =
    params.stream_id === undefined
      ? from.channel
      : world.channels.find(({ stream_id }) => stream_id === params.stream_id);
  if (!channel || !canPost(channel, user))
    throw noSuchChannel(params.stream_id ?? from.channel.stream_id);
  const topic = params.topic ?? from.topic;
  const to: Conversation = { channel, topic };
  const { propagate_mode } = params;
  const moved = world.messages.filter(
    (one) =>
      one === message ||
      (propagate_mode !== 'change_one' &&
        'channel' in one.conversation &&
        one.conversation.channel === from.channel &&
        one.conversation.topic === from.topic &&
        (propagate_mode === 'change_all' || one.id > message.id)),
  );
  const timestamp = world.now();
  for (const one of moved) {
    one.conversation = to;
    one.last_moved_timestamp = timestamp;
    one.edit_history.unshift({
      user_id: user.user_id,
      timestamp,
      ...(topic === from.topic ? {} : { prev_topic: from.topic, topic }),
      ...(channel === from.channel
        ? {}
        : { prev_stream: from.channel.stream_id, stream: channel.stream_id }),
    });
  }
  return {
    message_ids: moved.map(({ id }) => id),
    propagate_mode,
    stream_id: from.channel.stream_id,
    stream_name: from.channel.name,
    orig_subject: from.topic,
    ...(topic === from.topic ? {} : { subject: topic, topic_links: [] }),
    ...(channel === from.channel ? {} : { new_stream_id: channel.stream_id }),
  };
}

const TOPICS = ['orig_subject', 'subject', 'topic'];

function withTopics(event: Event, allowEmpty: boolean): Event {
  const topics = TOPICS.flatMap((key) => {
    const topic = event[key];
    return typeof topic === 'string' ? [[key, shownTopic(topic, allowEmpty)] as const] : [];
  });
  return { ...event, ...Object.fromEntries(topics) };
}
