import { names, type SpecSection } from './spec-section.ts';

export const register: readonly SpecSection[] = [
  {
    section: 'Register an event queue',
    route: 'POST /register',
    parametersSince: { presence_history_limit_days: 288 },
    defaults: {
      apply_markdown: false,
      include_subscribers: false,
      slim_presence: false,
      narrow: [],
    },
    parameters: names(`
      apply_markdown client_gravatar include_subscribers slim_presence presence_history_limit_days
      event_types all_public_streams client_capabilities fetch_event_types narrow`),
    rules: {
      'all_public_streams is false by default, except for a bot with default_all_public_streams':
        'queues/bot-defaults.test.ts > a bot with default_all_public_streams hears all public channels unless it asks for false',
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
        'user-events/hidden-users.test.ts > gets users and members of groups only of shared channels and conversations',
      'State before plus events is state after, for every event and capability':
        'test/events-explain-state.test.ts > after %s, the events of every reader match the state of a new queue',
      'Presence is from the last 14 days unless presence_history_limit_days says otherwise':
        'presence/presence.test.ts > presence older than the limit is left out',
      'A queue can be used only by its user': 'test/permissions.test.ts > roles without a setting',
      'Unknown event types are ignored':
        'queues/register.test.ts > unknown event types and fetch types are ignored',
      'client_gravatar and include_subscribers are refused without a login':
        'queues/register.test.ts > client_gravatar and include_subscribers without a login are refused',
      'The answer has the feature level and the version, with their older names':
        'queues/register.test.ts > the feature level and the version, also for a client that fetches nothing',
      'Clients without archived_channels see an archived channel disappear':
        'channels/archive/archive-channel.test.ts > is an update for clients with archived_channels, a deletion for others',
      'Clients without archived_channels get no policies of the topics of archived channels':
        'user-topics/archived-channels.test.ts > archiving removes the policies for other clients, and unarchiving brings them back',
      'Clients without user_settings_object get the older events of settings':
        'settings/update-settings.test.ts > receive display and notification settings in their own events',
      'Clients with user_avatar_url_field_optional get no avatars of idle users':
        'users/idle-avatars.test.ts > POST /register omits avatar_url of people not connected for four weeks, with the capability',
      'Clients with user_list_incomplete get no record of users whom they may not see':
        'user-events/hidden-users.test.ts > gets strangers as "Unknown user" without user_list_incomplete, all with the same record',
      'Presence events have the format of the client':
        'presence/presence.test.ts > others learn that a user comes online or becomes active, each client in its format',
      'A guest may not ask for all public channels':
        'queues/polling.test.ts > no all_public_streams for a guest: registration is rejected',
    },
  },
  {
    section: 'Outgoing webhook payload',
    rules: {
      'The payload has bot, data, trigger, token and the message with rendered_content':
        'webhooks/deliver-to-webhook.test.ts > a channel message is delivered as the specified payload with a signature',
      'The trigger is direct_message or mention':
        'webhooks/trigger-webhooks.test.ts > a direct message triggers the bots among its participants and no others',
      'The token of the bot authenticates the request':
        'bots/bot-keys.test.ts > deliveries carry a new token at once, or after keep_old_seconds',
      'Only a mention or a direct message triggers a webhook, never a bot':
        'webhooks/trigger-webhooks.test.ts > a message from a bot triggers no webhook',
    },
  },
  {
    section: 'Conventions and authentication',
    rules: {
      'Unknown parameters are named in ignored_parameters_unsupported':
        'test/contract.test.ts > succeeds with its sample parameters and reports unknown ones',
      'Every endpoint admits the roles that it declares, and refuses the others':
        'test/permissions.test.ts > admits and refuses callers as declared',
      'A user with the wrong API key is refused':
        'test/permissions.test.ts > admits and refuses callers as declared',
      'Nothing of another realm can be read or changed':
        'packages/server/src/realm-references.test.ts > the database rejects a row of another realm in %s',
      'A value of a permission is a group, or lists users and groups':
        'channels/create/new-channel.test.ts > a permission of a new channel is a named group, or lists users and groups',
      'The empty string is a topic':
        'messages/send/send-channel.test.ts > is trimmed, accepted as subject, and empty if it is the display name of the empty topic',
      'Somebody without a login is admitted where the contract says so, in realms with spectator access':
        'test/permissions.test.ts > is open in a realm with spectator access only',
      'A setting that may not be everyone gives guests nothing':
        'test/permissions.test.ts > each setting of realm, channel and user group grants a permission',
      'Arrays and objects are JSON text in form fields':
        'test/contract.test.ts > of another type gets a documented answer',
      'Every error has result, msg and code, and the keys that its code documents':
        'test/declared.test.ts > is caused by its call of a contract.fixture.ts',
      'A refused request changes no row and no answer tells of another realm':
        'test/random-requests.test.ts > no answer is undocumented or reveals another realm, no refused request changes a row',
      'A narrow consists of objects or of pairs':
        'messages/fetch/narrow/narrow.test.ts > terms may be pairs of strings, and a message must match all of them',
    },
  },
];
