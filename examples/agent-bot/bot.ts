import {
  type BotOptions,
  createBot,
  type MessageContext,
  start,
  type StreamChunk,
} from '@bellhop/bot';

/** A step of the conversation with the model. */
export type Turn =
  | { readonly role: 'user' | 'assistant'; readonly content: string }
  | { readonly role: 'tool'; readonly call: string; readonly content: string };

/** A call of a tool that the model asks for. */
export interface ToolCall {
  readonly id: string;
  readonly toolCall: { readonly name: string; readonly input: string };
}

/** Yields chunks of an answer, and calls of tools; it is called again with the results of the tools. */
export type Model = (
  turns: readonly Turn[],
  signal: AbortSignal,
) => AsyncIterable<StreamChunk | ToolCall>;

/** The tools of the model by name. Their results are texts. */
type Tools = Readonly<Record<string, (input: string) => string | Promise<string>>>;

const MAX_ROUNDS = 5;

const tools: Tools = {
  time: (zone) => new Date().toLocaleTimeString('en-GB', { timeZone: zone || 'UTC' }),
  count_words: (text) => String(text.split(/\s+/).filter(Boolean).length),
};

/** Answers mentions, and later messages in the same topic, with a model that calls tools. */
export default function makeBot(
  options: BotOptions,
  { model = wordCounter, use = tools }: { model?: Model; use?: Tools } = {},
) {
  const bot = createBot({ order: 'latest', ...options });
  bot.command('forget', { about: 'Listen to this topic no more' }, async (ctx) => {
    await ctx.unsubscribe();
    return 'I listen no more.';
  });
  return bot.on('follow_up', answer).fallback(answer);

  async function answer(ctx: MessageContext) {
    await ctx.subscribe();
    const turns: Turn[] = (await ctx.history(20)).map(({ isOwn, text }) => ({
      role: isOwn ? 'assistant' : 'user',
      content: text,
    }));
    turns.push({ role: 'user', content: ctx.text });
    return ctx.stream(rounds(turns, ctx.signal));
  }

  /** Yields the answer. Runs the tools that the model calls, and asks it again with their results. */
  async function* rounds(turns: Turn[], signal: AbortSignal): AsyncGenerator<StreamChunk> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const calls: ToolCall[] = [];
      for await (const chunk of model(turns, signal))
        if (isToolCall(chunk)) calls.push(chunk);
        else yield chunk;
      if (calls.length === 0) return;
      for (const { id, toolCall } of calls) {
        yield { status: `Using ${toolCall.name.replaceAll('_', ' ')}` };
        const content = await result(toolCall);
        turns.push({ role: 'tool', call: id, content });
      }
    }
    yield '\n\nI stop here: that takes too many steps.';
  }

  /** The result of a tool, or its error, which lets the model try something else. */
  async function result({ name, input }: ToolCall['toolCall']): Promise<string> {
    const tool = Object.hasOwn(use, name) ? use[name] : undefined;
    if (!tool) return `There is no tool ${name}.`;
    try {
      return await tool(input);
    } catch (error) {
      return `The tool failed: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

const isToolCall = (chunk: StreamChunk | ToolCall): chunk is ToolCall =>
  typeof chunk === 'object' && 'toolCall' in chunk;

/** In place of a language model: counts the words of the last message by a tool. */
async function* wordCounter(turns: readonly Turn[]): AsyncGenerator<StreamChunk | ToolCall> {
  const last = turns.at(-1);
  if (last?.role === 'tool') yield `I count ${last.content} words.`;
  else yield { id: '1', toolCall: { name: 'count_words', input: last?.content ?? '' } };
}

if (import.meta.main) await start(makeBot);
