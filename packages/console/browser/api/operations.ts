import { wordKey } from '@bellhop/protocol';

import type { DocumentedOperation, OpenApiDocument, Schema } from './openapi-document.ts';

/** A parameter of an operation, wherever it travels. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly schema: Schema;
}

/** An operation of the document in the form in which it is shown and run. */
export interface Operation {
  /** `messages.send` */
  readonly id: string;
  readonly resource: string;
  readonly method: string;
  readonly path: string;
  readonly about: DocumentedOperation;
  readonly parameters: readonly Parameter[];
  /** How the body is written; `file` takes a file beside the parameters of the query. */
  readonly body: 'none' | 'form' | 'json' | 'multipart';
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** The operations of a document in its order. */
export const operationsOf = ({ paths }: OpenApiDocument): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]): Operation => {
      const content = about.requestBody?.content ?? {};
      const schema = (content[FORM] ?? content['application/json'] ?? {}).schema;
      return {
        id: about.operationId,
        resource: about.tags[0] ?? '',
        method: method.toUpperCase(),
        path,
        about,
        parameters: [
          ...about.parameters.map((one) => ({
            name: one.name,
            in: one.in,
            isRequired: one.required,
            description: one.description,
            schema: one.schema ?? one.content?.['application/json']?.schema ?? {},
          })),
          ...Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
            name,
            in: 'body' as const,
            isRequired: schema?.required?.includes(name) === true,
            description: property.description,
            schema: property,
          })),
        ],
        body:
          FORM in content
            ? 'form'
            : 'application/json' in content
              ? 'json'
              : MULTIPART in content
                ? 'multipart'
                : 'none',
      };
    }),
  );

/** The operations whose id, path or summary contain all words. */
export function findOperations(
  operations: readonly Operation[],
  text: string,
): readonly Operation[] {
  const words = wordKey(text).split(/\s+/).filter(Boolean);
  return operations.filter(({ id, method, path, about }) => {
    const known = wordKey(`${id} ${method} ${path} ${about.summary}`);
    return words.every((word) => known.includes(word));
  });
}
