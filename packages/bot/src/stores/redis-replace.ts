/**
 * Sets KEYS[1] to ARGV[1], with whatever options follow, where what it holds begins with ARGV[2]:
 * its version and a space. Answers as SET does, or nil. Redis runs a script as one step.
 */
export const replaceScript = `
local found = redis.call('GET', KEYS[1])
if not found or string.sub(found, 1, #ARGV[2]) ~= ARGV[2] then return false end
return redis.call('SET', KEYS[1], ARGV[1], unpack(ARGV, 3))
`;
