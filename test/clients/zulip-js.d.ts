declare module 'zulip-js' {
  interface Client {
    messages: { send(params: object): Promise<{ result: string; id?: number }> };
    callOnEachEvent(
      callback: (event: {
        type: string;
        message?: { sender_full_name: string; content: string };
      }) => void,
      types: string[],
    ): Promise<void>;
  }
  export default function zulip(config: {
    username: string;
    password: string;
    realm: string;
  }): Promise<Client>;
}
