/** The chat server that a command is about, by its ID or host name. */
export const serverArgument = {
  kind: 'tuple',
  parameters: [
    { parse: String, brief: 'ID or host name of the chat server', placeholder: 'server' },
  ],
} as const;
