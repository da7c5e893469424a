import { SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

import type { Hooks } from '../hooks.ts';

/** Runs each handler in a span of its own. Uses the global tracer by default. */
export function tracingHooks(tracer: Tracer = trace.getTracer('@bellhop/bot')): Hooks {
  return {
    around: ({ bot_email, message_id, trigger }, run) => {
      const attributes = {
        'messaging.system': 'bellhop',
        'messaging.operation.type': 'process',
        'messaging.message.id': String(message_id),
        'bellhop.bot': bot_email,
        'bellhop.trigger': trigger,
      };
      const options = { kind: SpanKind.CONSUMER, attributes };
      return tracer.startActiveSpan(`${trigger} ${bot_email}`, options, async (span) => {
        try {
          return await run();
        } catch (error) {
          span.recordException(error instanceof Error ? error : String(error));
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
}
