export { applyEvent } from '@bellhop/protocol';
