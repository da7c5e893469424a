export { codeOf, connectionFault, parserFault } from './connection-fault.ts';
export { decodeContent, UndecodableContent } from './decode-content.ts';
