export type { AuditRecord } from '../trust/audit.ts';
export { redactHooks, redactor } from '../trust/redactor.ts';
