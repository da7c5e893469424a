export { decodeContent, UndecodableContent } from './decode-content.ts';
export { decodeText, type DecodedText } from './decode-text.ts';
