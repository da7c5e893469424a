import { names, type SpecSection } from './spec-section.ts';

export const typing: readonly SpecSection[] = [
  {
    section: 'Set typing status',
    route: 'POST /typing',
    parametersSince: { stream_id: 215 },
    defaults: { type: 'direct' },
    values: { type: ['direct', 'stream', 'channel'], op: ['start', 'stop'] },
    parameters: names('type op to stream_id topic'),
    errors: ['BAD_REQUEST: Missing channel ID'],
    events: ['typing'],
    rules: {
      'All participants of a direct message get the event, and nobody else':
        'typing/typing.test.ts > sends the event to all participants including the sender, and to nobody else',
      'A user whose receives_typing_notifications is off gets no event':
        'typing/typing.test.ts > respects the settings of users who neither send nor receive typing notifications',
      'Only queues with stream_typing_notifications get typing in a channel':
        'typing/typing.test.ts > sends the event to subscribers with the capability, with the topic in the format of their client',
      'Typing in a channel requires a channel in which the user may post':
        'typing/typing.test.ts > rejects a missing channel and topic, and a hidden channel like an unknown one',
      'The recipients are a list of user IDs, also for one':
        'typing/typing.test.ts > rejects missing and unknown recipients, and anything but a list of ids',
      'The topic is needed in a channel; (no topic) and the display name stand for the empty one':
        'typing/typing.test.ts > sends the event to subscribers with the capability, with the topic in the format of their client',
      'The server keeps no state: start and stop are events of their own':
        'typing/typing.test.ts > sends the event to all participants including the sender, and to nobody else',
      'The initial state has the three intervals of the typing protocol':
        'queues/register.test.ts > the intervals of the typing protocol',
      'Every user may say that they type; in a channel those who may post there':
        'test/permissions.test.ts > each setting of realm, channel and user group grants a permission',
    },
  },
  {
    section: 'Set typing status for message editing',
    route: 'POST /messages/{message_id}/typing',
    since: 361,
    values: { op: ['start', 'stop'] },
    parameters: names('message_id op'),
    events: ['typing_edit_message'],
    rules: {
      'The older route POST /message_edit_typing does the same':
        'typing/send-edit-typing.test.ts > reaches all participants including the sender, and nobody else',
      'Only a user who may edit the message may announce to edit it':
        "typing/send-edit-typing.test.ts > another user's message",
      'Participants without receives_typing_notifications get no event':
        'typing/send-edit-typing.test.ts > is hidden from participants who do not receive typing notifications',
    },
  },
];
