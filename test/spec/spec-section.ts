/** The rules of the specification about one endpoint, or in one section without an endpoint. */
export interface SpecSection {
  /** The heading in the specification. */
  readonly section: string;
  readonly route?: string;
  readonly parameters?: readonly string[];
  /** `CODE: message`, or how the message begins. A code alone stands for any message. */
  readonly errors?: readonly string[];
  readonly events?: readonly string[];
  /** The feature level at which the endpoint appeared. */
  readonly since?: number;
  /** The feature levels at which single parameters appeared. */
  readonly parametersSince?: Readonly<Record<string, number>>;
  /** The value of a parameter that is not sent. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** All allowed values of a parameter. */
  readonly values?: Readonly<Record<string, readonly (string | number)[]>>;
  /**
   * Permissions, state transitions and other rules, in our words, each with the test that shows it:
   * the path of its file below packages/server/src/resources, or from the root, ` > ` and its title.
   * Empty if no test shows the rule yet.
   */
  readonly rules?: Readonly<Record<string, string>>;
}

/** The names in a text, separated by white space. */
export const names = (text: string): string[] => text.split(/\s+/).filter(Boolean);
