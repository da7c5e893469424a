import { ApiError as AnyApiError, type GeneralErrorCode } from '@bellhop/protocol';

interface ApiErrorConstructor {
  new (code: GeneralErrorCode, options?: ConstructorParameters<typeof AnyApiError>[1]): AnyApiError;
  readonly prototype: AnyApiError;
}

/**
 * The errors that a verb creates: those that every endpoint may answer. An error that only some
 * endpoints declare is thrown by the `fail` of the call; a helper that throws one takes a `Fail`.
 */
export const ApiError: ApiErrorConstructor = AnyApiError;
