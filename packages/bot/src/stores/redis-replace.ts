/**
 * Sets KEYS[1] to ARGV[1] if its current value begins with ARGV[2], the expected version and a space.
 * ARGV[3] and later are options of SET. Returns the reply of SET, or nil. Redis runs a script
 * atomically.
 */
export const replaceScript = `
local found = redis.call('GET', KEYS[1])
if not found or string.sub(found, 1, #ARGV[2]) ~= ARGV[2] then return false end
return redis.call('SET', KEYS[1], ARGV[1], unpack(ARGV, 3))
`;
