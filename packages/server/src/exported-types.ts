// The types that the signatures of both entries name.
export type { EnqueueOptions, Job } from '@bellhop/jobs';
export type { Transaction } from '@bellhop/postgres';
export type {
  BotType,
  ChannelId,
  ClientCapabilities,
  EventType,
  Linkifier,
  NarrowTerm,
  RealmGroupSetting,
  RealmId,
  Role,
  UserGroupId,
  UserId,
} from '@bellhop/protocol';
export type {
  Change,
  Emit,
  JobDescription,
  Membership,
  Following,
  Subscribing,
  Tx,
} from './engine/call.ts';
export type { Realm, User } from './engine/caller.ts';
export type { Secrets } from './engine/secrets.ts';
export type {
  Emitted,
  PersonalFields,
  QueueFields,
  StoredFields,
  StoredRegistration,
} from './engine/stored-event.ts';
export type { JsonColumn, Tables } from './engine/tables.ts';
export type { FileContent, FileStore, MissingBytes } from './files/file-store.ts';
export type { FileSettings } from './files/file-variables.ts';
export type { Files } from './files/files.ts';
export type { S3Files, S3Settings } from './files/s3-files.ts';
