export { BadConfig, type BouncerEnvironment, readConfig } from './config/bouncer-config.ts';
export { migrations } from './migrations.ts';
export {
  type OperatorConfig,
  readOperatorAccess,
  readOperatorConfig,
} from './config/operator-config.ts';
export { createKey, importKeys, requireEncryptionKey, resealKeys } from './operator/keys.ts';
export { type Operator, OperatorError } from './operator/operator.ts';
export { diagnose, type DiagnoseOptions } from './doctor/diagnose.ts';
export type { Finding } from '@bellhop/postgres';
export type { BouncerConfig } from './config/bouncer-config.ts';
export type { OperatorAccess } from './config/operator-config.ts';
export type { ConfiguredKeys, ImportedKeys } from './operator/keys.ts';
export type * from './exported-types.ts';
