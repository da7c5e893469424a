import { ConnectionFailed } from '@bellhop/client';
import { ApiError } from '@bellhop/protocol';

/** Why a service does not answer, for the trace. Other errors are thrown again. */
export const silenceOf =
  (service: string) =>
  (error: unknown): string => {
    if (error instanceof ApiError && error.status === 404) return `the ${service} has no traces`;
    if (error instanceof ApiError && [401, 403].includes(error.status))
      return `no right: ${error.message}`;
    if (error instanceof ApiError || error instanceof ConnectionFailed)
      return `the ${service} does not answer: ${error.message}`;
    throw error;
  };
