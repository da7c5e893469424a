import type { InitialState, QueuedEvent } from '@bellhop/protocol';

import { applyDeleteMessage, applyUpdateMessage } from './apply-message-changes.ts';
import { applyMessage } from './apply-message.ts';
import { applyPushDevice } from './apply-push-device.ts';
import { applyReaction } from './apply-reaction.ts';
import { applyRealmBot } from './apply-realm-bot.ts';
import { applyRealmUser } from './apply-realm-user.ts';
import { applyRealm } from './apply-realm.ts';
import { applyStream } from './apply-stream.ts';
import { applySubscription } from './apply-subscription.ts';
import { applyUserGroup } from './apply-user-group.ts';
import type { Reader } from './state.ts';

/**
 * The state after an event: what `/register` would answer now. Changes nothing in place. Lists of
 * records are kept in the order of their IDs. Events of a type newer than this client change nothing.
 */
export function applyEvent(state: InitialState, event: QueuedEvent, reader: Reader): InitialState {
  switch (event.type) {
    case 'delete_message':
      return applyDeleteMessage(state, event);
    case 'message':
      return applyMessage(state, event, reader);
    case 'push_device':
      return applyPushDevice(state, event);
    case 'reaction':
      return applyReaction(state, event, reader);
    case 'realm':
      return applyRealm(state, event);
    case 'realm_bot':
      return applyRealmBot(state, event);
    case 'realm_user':
      return applyRealmUser(state, event, reader);
    case 'stream':
      return applyStream(state, event, reader);
    case 'subscription':
      return applySubscription(state, event, reader);
    case 'update_message':
      return applyUpdateMessage(state, event);
    case 'user_group':
      return applyUserGroup(state, event);
    case 'attachment':
    case 'heartbeat':
    case 'submessage':
    case 'typing':
      return state;
    default:
      event satisfies never;
      return state;
  }
}
