export { post, type PostResult } from './post.ts';
export { signatureHeaders } from './signature-headers.ts';
