import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';

import type { Agent, WritingAgent } from '../agent.ts';
import type { AuditRecord } from '../audit.ts';
import { explainFailure, UncertainError } from '../failure.ts';

interface ToolDefinition<A, I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /** Throws a ToolError for what the model can mend, and what the client throws. */
  readonly run: (agent: A, args: z.output<I>, signal: AbortSignal) => Promise<z.output<O>>;
}

/** How a tool changes the chat. */
interface Change {
  /** Whether it may replace what was there. */
  readonly destructive: boolean;
  /** Whether a repeated call changes nothing more. */
  readonly idempotent: boolean;
}

export interface ToolContext {
  readonly agent: WritingAgent;
  readonly writes: { readonly take: () => void };
  readonly audit: (record: AuditRecord) => void;
  /** Gets faults of this program. */
  readonly onFault: (error: unknown) => void;
}

export interface Tool {
  readonly isWriting: boolean;
  readonly register: (server: McpServer, context: ToolContext) => void;
}

/** A tool that changes nothing: its agent has no calls that do. */
export const readingTool = <I extends z.ZodObject, O extends z.ZodObject>(
  tool: ToolDefinition<Agent, I, O>,
): Tool => ({
  isWriting: false,
  register: (server, context) =>
    register(server, context, { ...tool, hints: { readOnlyHint: true } }),
});

/** A tool that changes the chat. Each call of it counts in the limit, and is audited. */
export function writingTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: ToolDefinition<WritingAgent, I, O> & { readonly change: Change },
): Tool {
  const { destructive: destructiveHint, idempotent: idempotentHint } = tool.change;
  const hints = { readOnlyHint: false, destructiveHint, idempotentHint };
  return {
    isWriting: true,
    register: (server, context) =>
      register(server, context, { ...tool, hints, run: audited(tool, context) }),
  };
}

function audited<I extends z.ZodObject, O extends z.ZodObject>(
  { name, run }: ToolDefinition<WritingAgent, I, O>,
  { writes, audit }: ToolContext,
): ToolDefinition<WritingAgent, I, O>['run'] {
  return async (agent, args, signal) => {
    const { content, ...others }: Record<string, unknown> = args;
    const record = {
      time: new Date().toISOString(),
      tool: name,
      arguments: others,
      ...(typeof content === 'string' && { characters: content.length }),
    };
    try {
      writes.take();
      const result = await run(agent, args, signal);
      audit({ ...record, outcome: 'done', ...placeOf(result) });
      return result;
    } catch (error) {
      const outcome = error instanceof UncertainError ? 'unknown' : 'refused';
      audit({ ...record, outcome, reason: explainFailure(error) ?? 'a fault of this program' });
      throw error;
    }
  };
}

/** What the audit keeps of the result of a writing tool. */
const placeOf = ({ message_id, link }: Record<string, unknown>) => ({
  ...(typeof message_id === 'number' && { message_id }),
  ...(typeof link === 'string' && { link }),
});

/**
 * Adds a tool to a server. Its result is structured and, for clients that read no structured results, the same
 * as JSON text.
 */
function register<I extends z.ZodObject, O extends z.ZodObject>(
  server: McpServer,
  { agent, onFault }: ToolContext,
  tool: ToolDefinition<WritingAgent, I, O> & { readonly hints: object },
): void {
  const { name, title, description, input, output: outputSchema, hints } = tool;
  // The SDK's types cannot infer the arguments of a schema that is a type parameter.
  const inputSchema: StandardSchemaWithJSON = input;
  const annotations = { title, ...hints, openWorldHint: true };
  server.registerTool(
    name,
    { title, description, inputSchema, outputSchema, annotations },
    async (args, { mcpReq: { signal } }): Promise<CallToolResult> => {
      try {
        const result = await tool.run(agent, args as z.output<I>, signal);
        return {
          content: [{ type: 'text', text: JSON.stringify(result) }],
          structuredContent: result,
        };
      } catch (error) {
        const text = explainFailure(error);
        if (text === undefined) onFault(error);
        return {
          content: [
            {
              type: 'text',
              text: text ?? 'The MCP server has a fault: tell the person who runs it.',
            },
          ],
          isError: true,
        };
      }
    },
  );
}
