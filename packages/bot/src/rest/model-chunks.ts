/** The effect of a chunk of a model's stream on the reply; undefined if users see nothing of it. */
export type ChunkMeaning =
  | { readonly kind: 'text'; readonly text: string }
  /** Something takes place that is no text yet: a tool is being called, for example. */
  | { readonly kind: 'status'; readonly status: string }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'aborted' };

/**
 * A chunk that `ctx.stream` takes: a text, `{ text }`, `{ status }` for a line that is shown until more text
 * comes, or a chunk of a model SDK.
 */
export type StreamChunk = string | object;

type Chunk = Readonly<Record<string, unknown>>;

/**
 * Reads a chunk by its shape: a text, `{ text }` or `{ status }` of your own, a chunk of a streamed chat
 * completion or an event of a streamed response of OpenAI, an event of a streamed message of Anthropic,
 * a part of `fullStream` or of a UI message stream of the Vercel AI SDK. Throws TypeError for any other
 * value.
 */
export function meaningOf(chunk: unknown): ChunkMeaning | undefined {
  if (typeof chunk === 'string') return text(chunk);
  if (!isChunk(chunk))
    throw new TypeError(`A stream yields texts or the chunks of a model, not ${describe(chunk)}.`);
  if (Array.isArray(chunk['choices'])) return completionMeaning(chunk['choices'][0]);
  const { type } = chunk;
  if (typeof type === 'string') return eventMeanings[type]?.(chunk);
  if (typeof chunk['status'] === 'string') return { kind: 'status', status: chunk['status'] };
  if (typeof chunk['text'] === 'string') return text(chunk['text']);
  const keys = Object.keys(chunk).slice(0, 5).join(', ');
  throw new TypeError(
    `ctx.stream knows no chunk with the keys ${keys || '(none)'}: yield its text.`,
  );
}

/**
 * The effect of each typed event. Users see nothing of other types, such as reasoning and usage.
 */
const eventMeanings: Readonly<Record<string, (event: Chunk) => ChunkMeaning | undefined>> = {
  // OpenAI, responses.
  'response.output_text.delta': ({ delta }) => text(delta),
  'response.refusal.delta': ({ delta }) => text(delta),
  'response.output_item.added': ({ item }) => openAiItem(item),
  'response.failed': ({ response }) => failure(isChunk(response) ? response['error'] : undefined),
  // Anthropic, messages.
  content_block_start: ({ content_block }) => anthropicBlock(content_block),
  content_block_delta: ({ delta }) => (isChunk(delta) ? text(delta['text']) : undefined),
  // Vercel AI SDK: `text` in version 5 and later, `textDelta` before, `delta` in UI message streams.
  'text-delta': (part) => text(part['text'] ?? part['textDelta'] ?? part['delta']),
  'tool-input-start': ({ toolName }) => toolStatus(toolName),
  'tool-call': ({ toolName }) => toolStatus(toolName),
  'tool-error': ({ toolName }) =>
    typeof toolName === 'string' ? { kind: 'status', status: `${toolName} failed.` } : undefined,
  abort: () => ({ kind: 'aborted' }),
  // In the streams of all libraries.
  error: (event) => failure(event['error'] ?? event['errorText'] ?? event['message']),
};

/** The first choice of a chunk of a chat completion. */
function completionMeaning(choice: unknown): ChunkMeaning | undefined {
  const delta = isChunk(choice) ? choice['delta'] : undefined;
  if (!isChunk(delta)) return undefined;
  const said = text(delta['content']) ?? text(delta['refusal']);
  if (said !== undefined) return said;
  const [call] = Array.isArray(delta['tool_calls']) ? (delta['tool_calls'] as unknown[]) : [];
  const called = isChunk(call) ? call['function'] : undefined;
  // Only the first chunk of a call has its name.
  return isChunk(called) ? toolStatus(called['name']) : undefined;
}

/** An item of a response: a function call has a name, a tool of OpenAI a type such as `web_search_call`. */
function openAiItem(item: unknown): ChunkMeaning | undefined {
  if (!isChunk(item)) return undefined;
  if (typeof item['name'] === 'string') return toolStatus(item['name']);
  const [, tool] = /^(\w+)_call$/.exec(String(item['type'])) ?? [];
  return toolStatus(tool);
}

/** A block of a message: `tool_use`, `server_tool_use` and `mcp_tool_use` have a name. */
function anthropicBlock(block: unknown): ChunkMeaning | undefined {
  if (!isChunk(block)) return undefined;
  return String(block['type']).endsWith('tool_use')
    ? toolStatus(block['name'])
    : text(block['text']);
}

const text = (value: unknown): ChunkMeaning | undefined =>
  typeof value === 'string' && value !== '' ? { kind: 'text', text: value } : undefined;

const toolStatus = (name: unknown): ChunkMeaning | undefined =>
  typeof name === 'string' && name !== ''
    ? { kind: 'status', status: `${name.replaceAll('_', ' ')}...` }
    : undefined;

function failure(cause: unknown): ChunkMeaning {
  if (cause instanceof Error) return { kind: 'error', error: cause };
  const message = isChunk(cause) ? cause['message'] : cause;
  const error = new Error(
    `The model failed: ${typeof message === 'string' ? message : 'no reason given'}`,
    { cause },
  );
  return { kind: 'error', error };
}

const isChunk = (value: unknown): value is Chunk => typeof value === 'object' && value !== null;

const describe = (value: unknown) => (value === null ? 'null' : typeof value);
