import { SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

import type { Hooks } from '../hooks.ts';

/** Runs each handler in a span of its own. Uses the global tracer by default. */
export function tracingHooks(tracer: Tracer = trace.getTracer('@bellhop/bot')): Hooks {
  return {
    around: ({ botEmail, messageId, trigger }, run) => {
      const attributes = {
        'messaging.system': 'bellhop',
        'messaging.operation.type': 'process',
        'messaging.message.id': String(messageId),
        'bellhop.bot': botEmail,
        'bellhop.trigger': trigger,
      };
      const options = { kind: SpanKind.CONSUMER, attributes };
      return tracer.startActiveSpan(`${trigger} ${botEmail}`, options, async (span) => {
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
