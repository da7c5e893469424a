import type { PermissionCases } from '../../permission-case.fixture.ts';

let added = 0;
const builtIn = ['tada', 'heart', 'octopus', 'wave', 'eyes', 'rocket'];

export const permissions: PermissionCases = {
  'POST /realm/emoji/{emoji_name}: add a custom emoji': async () => ({
    sample: { emoji_name: `case_${++added}` },
  }),
  'POST /realm/emoji/{emoji_name}: replace a Unicode emoji': async () => ({
    sample: { emoji_name: builtIn[added++ % builtIn.length] ?? 'tada' },
  }),
};
