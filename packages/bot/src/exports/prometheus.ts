export * from '../observe/prometheus.ts';
export type * from './hook-types.ts';
