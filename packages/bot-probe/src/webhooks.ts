export { type Answer, post } from './post.ts';
export { signatureHeaders } from './signature-headers.ts';
