import type { MessageChangeKind, RealmId, UserId } from '@bellhop/protocol';

export interface BotChangesTables {
  bot_change: { realm_id: RealmId; user_id: UserId; kind: MessageChangeKind };
}
