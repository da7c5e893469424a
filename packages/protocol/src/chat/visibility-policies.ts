/** How a topic is shown to a user. `inherit` means like its channel. */
export const visibilityPolicies = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const;
