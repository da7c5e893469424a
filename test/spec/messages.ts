import { names, type SpecSection } from './spec-section.ts';

export const messages: readonly SpecSection[] = [
  {
    section: 'Fetch a single message',
    route: 'GET /messages/{message_id}',
    parametersSince: { apply_markdown: 120, allow_empty_topic_name: 334 },
    defaults: { apply_markdown: true, allow_empty_topic_name: false },
    parameters: names('message_id apply_markdown allow_empty_topic_name'),
    errors: ['BAD_REQUEST: Invalid message(s)'],
    rules: {
      'apply_markdown chooses between HTML and Markdown; raw_content is always Markdown':
        'messages/fetch/fetch-messages.test.ts > returns rendered or raw content, and raw_content in both cases',
      'A user reads only messages that they may see':
        'messages/fetch/fetch-messages.test.ts > only participants can read a direct message',
      'Clients without allow_empty_topic_name get the display name of the empty topic':
        'messages/fetch/fetch-messages.test.ts > a channel message has its channel; the empty topic has its display name unless the client allows it',
      'A missing and a hidden message have the same error':
        'test/hidden-things.test.ts > a hidden and a missing user, channel and message are alike for a %s',
    },
  },
  {
    section: "Get a message's edit history",
    route: 'GET /messages/{message_id}/history',
    parametersSince: { allow_empty_topic_name: 334 },
    defaults: { allow_empty_topic_name: false },
    parameters: names('message_id allow_empty_topic_name'),
    errors: ['BAD_REQUEST: Invalid message(s)'],
    rules: {
      'A realm may switch the edit history off':
        'messages/fetch/fetch-history.test.ts > a realm that shows no history rejects the request',
      'Clients without allow_empty_topic_name get the display name of the empty topic':
        'messages/fetch/fetch-history.test.ts > the history of a direct message has no topic; that of the empty topic has its display name',
      'Snapshots are ordered from the oldest to the newest':
        'messages/fetch/fetch-history.test.ts > the history has one version per edit, oldest first, with its changes',
      'A message that was never edited has one snapshot':
        'messages/fetch/fetch-history.test.ts > the history of an unchanged message has one version',
    },
  },
  {
    section: 'Update personal message flags',
    route: 'POST /messages/flags',
    values: { op: ['add', 'remove'] },
    parameters: names('messages op flag'),
    errors: ['BAD_REQUEST: Invalid message(s)'],
    events: ['update_message_flags'],
    rules: {
      'Adding a flag that users may set makes it present, removing it makes it absent':
        'messages/flag/set-flag.test.ts > adds and removes %s, and tells only the queues of the user',
      'Flags that the server computes cannot be set':
        'messages/flag/set-flag.test.ts > refuses the flag %s',
      'Removing `read` skips messages of channels without a subscription and returns those channels':
        'messages/flag/set-flag.test.ts > marking as unread skips channels without a subscription and names them',
      'Starring history of a public channel makes the message historical':
        'messages/flag/set-flag.test.ts > starring a public message from before the subscription makes it historical',
      'Messages that the sender writes in a client for people are read, those by the API are not':
        'messages/send/send-direct.test.ts > has read the message if the client is made for people or read_by_sender is set',
      'The answer names the messages of the request; ignored channels only with `read` and remove':
        'messages/flag/set-flag.test.ts > marking as unread skips channels without a subscription and names them',
      'A missing and a hidden message have the same error, and nothing changes':
        'messages/flag/set-flag.test.ts > changes no message if one is missing or hidden, with the same error for both',
      'Flags belong to the user alone':
        'messages/flag/set-flag.test.ts > adds and removes %s, and tells only the queues of the user',
    },
  },
  {
    section: 'Update personal message flags for narrow',
    route: 'POST /messages/flags/narrow',
    since: 155,
    defaults: { include_anchor: true, narrow: [] },
    values: { op: ['add', 'remove'] },
    parameters: names('anchor include_anchor num_before num_after narrow op flag'),
    events: ['update_message_flags'],
    rules: {
      'The anchor is a message ID, newest, oldest or first_unread':
        'messages/flag/set-flag-in-narrow.test.ts > around the anchor %s with %o changes the messages %o',
      'first_unread without an unread message is the newest message':
        'messages/flag/set-flag-in-narrow.test.ts > first_unread without an unread message is the newest one',
      'An empty range has null as its first and last message':
        'messages/flag/set-flag-in-narrow.test.ts > an empty range has no first and last message',
      'Messages that have the flag are processed and not updated':
        'messages/flag/set-flag-in-narrow.test.ts > messages that have the flag already are processed, not updated',
      'The server lowers num_before and num_after instead of refusing them':
        'messages/flag/set-flag-in-narrow.test.ts > counts beyond the limit are lowered, not refused',
      'Removing `read` skips channels without a subscription and returns them':
        'messages/flag/set-flag-in-narrow.test.ts > marking as unread skips channels without a subscription and names them',
      'At most num_before + 1 + num_after messages are processed':
        'messages/flag/set-flag-in-narrow.test.ts > around the anchor %s with %o changes the messages %o',
    },
  },
  {
    section: 'Remove an emoji reaction',
    route: 'DELETE /messages/{message_id}/reactions',
    parameters: names('message_id emoji_name emoji_code reaction_type'),
    errors: ['REACTION_DOES_NOT_EXIST: Reaction does not exist', 'BAD_REQUEST: Invalid emoji code'],
    events: ['reaction'],
    rules: {
      'A reaction whose emoji has another name now is removed by its code':
        'reactions/reactions.test.ts > with an emoji that no longer exists can be removed',
      'A reaction is removed by name, by code, or by both':
        'reactions/reactions.test.ts > is removed by name, by code, or by both',
      'Only your own reaction is removed: that of another user stays':
        'reactions/reactions.test.ts > of another user cannot be removed',
      'A reaction type that is not one of three is refused':
        'reactions/reactions.test.ts > with an unknown reaction type is rejected',
    },
  },
  {
    section: 'Message object',
    rules: {
      'avatar_url is null only for a visible address and a client that computes avatars':
        'messages/send/send-direct.test.ts > shows content and avatar in the format of each queue',
      'last_moved_timestamp is absent if a topic was only resolved':
        'messages/move/move-topic.test.ts > leaves last_moved_timestamp unset, and the notification bot says who did it',
      'edit_history has the most recent entry first':
        'messages/edit/edit-content.test.ts > renders the new content and keeps the old one in the edit history',
      'Topics have links from linkifiers':
        'linkifiers/linkifiers.test.ts > turns matches in messages and topics into links',
      'A client without empty_topic_name gets the display name of the empty topic in events':
        'messages/send/send-channel.test.ts > shows the empty topic in the format of each queue and is filtered by its narrow',
      'edit_history is absent for a message that was never edited':
        'messages/fetch/fetch-messages.test.ts > a direct message has its participants, an avatar and the flags of the reader',
      'edit_history is absent where the organization hides it':
        'messages/fetch/fetch-history.test.ts > a realm that shows only moves does not show earlier content',
      'Messages are ordered by ID':
        'messages/fetch/fetch-messages.test.ts > returns the messages before, at and after the anchor in the order of their ids',
      'is_me_message says whether it is a /me message':
        'messages/edit/edit-content.test.ts > updates is_me_message',
      'Reactions have name, code and type of their emoji':
        'reactions/reactions.test.ts > appears with its message in every endpoint, oldest first',
      'mentioned follows the content when the message is edited':
        'messages/edit/edit-content.test.ts > an edit adds and removes unread mentions',
      'A mention of a user, a group, the channel and the topic sets the flags':
        'messages/send/send-channel.test.ts > of a user, a group, the channel and the topic set the flags of the recipients',
      'A reaction to a message that the user never received makes it historical':
        'reactions/reactions.test.ts > a reaction to a message that the user never received adds it to their history',
      'Starting unread and being marked as read lead every reader to the state of a new queue':
        'test/events-explain-state.test.ts > after %s, the events of every reader match the state of a new queue',
    },
  },
];
