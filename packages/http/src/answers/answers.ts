export { decodeContent, UndecodableContent } from './decode-content.ts';
