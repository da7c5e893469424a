import { names, type SpecSection } from './spec-section.ts';

export const register: readonly SpecSection[] = [
  {
    section: 'Register an event queue',
    route: 'POST /register',
    parameters: names(`
      apply_markdown client_gravatar include_subscribers slim_presence presence_history_limit_days
      event_types all_public_streams client_capabilities fetch_event_types narrow`),
    rules: {
      'A queue gets only the event types that it registered':
        'queues/polling.test.ts > only the event types it registered',
      'all_public_streams adds the messages of all public channels':
        'queues/polling.test.ts > with all_public_streams every public channel and no private one',
      'Without a login the call is admitted only in realms with public access':
        'queues/spectators.test.ts > a realm without spectator access answers 401 to calls without a login',
      'Without a login queue_id is null':
        'queues/spectators.test.ts > returns web-public channels and no queue',
      'A queue without a poll for ten minutes is deleted; its ID is then BAD_EVENT_QUEUE_ID':
        'queues/polling.test.ts > is deleted after its lifespan without a poll',
      'A waiting poll gets a heartbeat within a minute':
        'packages/server/src/engine/event-queues.test.ts > ends a poll without events, and its ID can be acknowledged',
      'Clients without bulk_message_deletion get an event for each deleted message':
        'messages/delete/delete-message.test.ts > goes to the readers of a channel message, in the format of each client',
      'Clients without notification_settings_null get no null':
        'channels/subscribe/subscribing-audience.test.ts > subscribers and null settings are sent only to clients that support them',
      'Guests get only the users whom they may see':
        'users/hidden-users.test.ts > gets users and members of groups only of shared channels and conversations',
      'State before plus events is state after, for every event and capability':
        'test/events-explain-state.test.ts > after %s, events lead every reader to the state that a new queue starts with',
    },
  },
  {
    section: 'Outgoing webhook payload',
    rules: {
      'The payload has bot, data, trigger, token and the message with rendered_content':
        'bots/deliver-to-webhook.test.ts > a channel message is delivered as the specified payload with a signature',
      'The trigger is direct_message or mention':
        'bots/trigger-webhooks.test.ts > a direct message triggers the bots among its participants and no others',
      'The token of the bot authenticates the request':
        'bots/bot-keys.test.ts > deliveries carry a new token at once, or after keep_old_seconds',
    },
  },
  {
    section: 'Conventions and authentication',
    rules: {
      'Unknown parameters are named in ignored_parameters_unsupported':
        'test/contract.test.ts > succeeds with its sample parameters and reports unknown ones',
      'Every endpoint admits the roles that it declares, and refuses the others':
        'test/contract.test.ts > admits and refuses roles as declared',
      'A user with the wrong API key is refused':
        'test/contract.test.ts > admits and refuses roles as declared',
      'Nothing of another realm can be read or changed':
        'packages/server/src/realm-references.test.ts > the database rejects a row of another realm in %s',
      'A value of a permission is a group, or lists users and groups':
        'channels/create/new-channel.test.ts > a permission of a new channel is a named group, or lists users and groups',
      'The empty string is a topic':
        'messages/send/send-channel.test.ts > is trimmed, accepted as subject, and empty if it is the display name of the empty topic',
    },
  },
];
