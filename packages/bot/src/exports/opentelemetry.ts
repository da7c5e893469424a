export * from '../observe/opentelemetry.ts';
export type * from './hook-types.ts';
