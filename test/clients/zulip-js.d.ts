declare module 'zulip-js' {
  interface Answer {
    result: string;
    code?: string;
  }
  interface Client {
    reactions: {
      add(params: object): Promise<Answer>;
      remove(params: object): Promise<Answer>;
    };
    messages: {
      send(params: object): Promise<Answer & { id?: number }>;
      retrieve(params: object): Promise<Answer & { messages?: { content: string }[] }>;
      render(params: object | string): Promise<Answer & { rendered?: string }>;
      update(params: object): Promise<Answer>;
      flags: {
        add(params: object): Promise<Answer>;
        remove(params: object): Promise<Answer>;
      };
      getById(params: object): Promise<Answer>;
      getHistoryById(params: object): Promise<Answer>;
      deleteReactionById(params: object): Promise<Answer>;
      deleteById(params: object): Promise<Answer>;
    };
    callOnEachEvent(
      callback: (event: {
        type: string;
        message?: { id: number; sender_full_name: string; content: string };
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
