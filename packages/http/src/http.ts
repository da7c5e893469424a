export * from './basic-credentials.ts';
export * from './docs-page.ts';
export type { Exchange } from './exchange.ts';
export * from './listen.ts';
export * from './rate-limit.ts';
export type { IncomingFile, Receive } from './receive-file.ts';
export * from './serve-contract.ts';
export * from './serve-downloads.ts';
export * from './site-pages.ts';
