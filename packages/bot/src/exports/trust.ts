export type { AuditRecord } from '../trust/audit.ts';
export { redactHooks, type Redaction, redactor } from '../trust/redactor.ts';
