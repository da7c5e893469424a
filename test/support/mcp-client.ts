import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** A result, as far as the tests read it. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** A client of MCP that has started `bellhop mcp` as a process of its own. */
export interface McpClient extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool. Returns its structured result; throws an error with the text of a failure. */
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<ToolResult>;
  /** The lines of stderr so far. */
  readonly logged: () => string[];
}

export interface McpClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `legacy`, the default, opens the connection as clients of 2025 do; `auto` asks for the protocol of 2026. */
  readonly mode?: VersionNegotiationMode;
}

/** Starts a command in an empty folder, with no variables but these. */
export async function connectMcp({
  command,
  args,
  env = {},
  mode = 'legacy',
}: McpClientOptions): Promise<McpClient> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-mcp-'));
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, NODE_COMPILE_CACHE, ...env },
    cwd: folder,
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const dispose = async () => {
    await client.close();
    await rm(folder, { recursive: true });
  };
  try {
    await client.connect(transport);
  } catch (cause) {
    await dispose();
    throw new Error(errors, { cause });
  }
  return {
    client,
    logged: () => errors.split('\n').filter((line) => line !== ''),
    async call(name, given = {}) {
      const { isError, content, structuredContent } = await client.callTool({
        name,
        arguments: given,
      });
      const [text] = content.map((block) => (block.type === 'text' ? block.text : ''));
      if (isError) throw new Error(text);
      return structuredContent as ToolResult;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** A message in a result, as far as the tests read it. */
export interface SeenMessage {
  readonly id: number;
  readonly content: string;
  readonly link: string;
  readonly characters_left_out?: number;
}

export const messagesOf = (
  result: ToolResult | undefined,
  key: 'messages' | 'context' = 'messages',
): readonly SeenMessage[] => (result?.[key] ?? []) as readonly SeenMessage[];
export const contentsOf = (result: ToolResult): string[] =>
  messagesOf(result).map(({ content }) => content);
export const namesOf = (result: ToolResult, key: string): string[] =>
  (result[key] as readonly { readonly name: string }[]).map(({ name }) => name);
