import type { Socket } from 'node:net';

const CONTINUE = Buffer.from('HTTP/1.1 100');
const END = '\r\n\r\n';
/** A longer head is no interim response. */
const MAX_HEAD = 1024;

/**
 * Removes interim responses `100 Continue` from what a connection reads before each response. Servers may send
 * them unasked (RFC 9110, section 15.2), and undici closes the connection then, although the request has
 * been received.
 */
export function skipContinue(socket: Socket): Socket {
  const write = socket.write.bind(socket);
  const read = socket.read.bind(socket);
  let begins = false;
  let held = Buffer.alloc(0);
  // A request is written as a whole before its response is read.
  socket.write = ((...args: Parameters<Socket['write']>) => {
    begins = true;
    return write(...args);
  }) as Socket['write'];
  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null;
    if (!begins || chunk === null) return chunk;
    held = Buffer.concat([held, chunk]);
    while (startsWith(held, CONTINUE)) {
      const end = held.indexOf(END);
      if (end === -1) {
        if (held.length < MAX_HEAD) return null;
        break;
      }
      held = held.subarray(end + END.length);
    }
    if (held.length === 0) return null;
    const rest = held;
    held = Buffer.alloc(0);
    begins = false;
    return rest;
  };
  return socket;
}

/** Whether a text starts with a prefix or is the beginning of one; false for an empty text. */
const startsWith = (text: Buffer, prefix: Buffer) => {
  const length = Math.min(text.length, prefix.length);
  return length > 0 && text.subarray(0, length).equals(prefix.subarray(0, length));
};
