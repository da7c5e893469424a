/** What the audit log records. */
export type AuditAction =
  | 'server_registered'
  | 'host_name_changed'
  | 'key_rotated'
  | 'server_transferred'
  | 'server_deactivated'
  | 'server_activated'
  | 'server_invited'
  | 'server_banned'
  | 'server_unbanned'
  | 'quota_exceeded'
  | 'quota_set'
  | 'key_created'
  | 'key_imported'
  | 'key_retired'
  | 'keys_resealed';
