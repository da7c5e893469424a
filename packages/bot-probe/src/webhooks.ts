export { post, type PostResult } from './post.ts';
export { signatureHeaders } from './signature-headers.ts';
export type { DeliveryFault } from '@bellhop/protocol';
export type { PostOptions } from './post.ts';
export type { SignedDelivery } from './signature-headers.ts';
