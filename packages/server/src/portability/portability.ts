export { exportRealm } from './export/export-realm.ts';
export type { ExportRequest } from './export/export-run.ts';
export { PortabilityError, type Progress, type ReportProgress } from './form.ts';
export { importRealm, type ImportRequest, type ImportResult } from './import/import-realm.ts';
export { type OpenExport, openExport, type UnpackLimits } from './import/open-export.ts';
export { convertSlack, type SlackConversion, type SlackFindings } from './slack/convert-slack.ts';
export type { Database } from '@bellhop/postgres';
export type * from '../exported-types.ts';
