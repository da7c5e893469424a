import { api, type Endpoint } from '@bellhop/protocol';

import type { SpecSection } from './spec-section.ts';
import { specSections } from './spec-sections.ts';

const specified = new Set(specSections.map(({ route }) => route));

/** The endpoints that the specification does not describe, as the contract declares them. */
export const contractSections: readonly SpecSection[] = Object.entries(api).flatMap(
  ([resource, endpoints]) =>
    Object.values<Endpoint>(endpoints)
      .filter(({ route }) => !specified.has(route))
      .map(({ route, params, errors, emits }) => ({
        section: `Not in the specification: ${resource}`,
        route,
        parameters: Object.keys(params.shape),
        errors,
        events: emits,
      })),
);
