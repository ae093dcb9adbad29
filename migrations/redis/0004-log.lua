#!lua name=hark

-- The log in Redis. One stream holds it, with the position as its id and no gap, so that its length is
-- its head. Where the events of a stream or a user are is a string of positions, 8 bytes each: a stream's
-- version is its length, and a version's position is found by counting. That takes a tenth of the room of
-- a sorted set, and half the time. What a function changes it judges in full before its first write:
-- whatever is refused leaves nothing behind.
--
-- Every key arrives declared, in the order in which the function takes it from KEYS. Only those of vectors follow from
-- the key of their list; they lie in the same slot.

local VERSION = 4
local COMMANDS_KEPT_MS = 7 * 24 * 3600000
local POSITION_BYTES = 8
local KEYS_AT_ONCE = 1000
local TURN_KEPT_MS = 500

local APPENDED, REPEATED, CONFLICT, STALE_KEY, OTHERS_TURN = 0, 1, 2, 3, 4
local ANY, EXISTS, NEW = '-1', '-2', '-3'

local function whole(number)
  return string.format('%.0f', number)
end

local function now_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- The length of the log, once its last entry has shown that nothing was taken out of it, and the head that is kept
-- beside it that it was not taken away whole.
local function head_of(log, kept)
  local head = redis.call('XLEN', log)
  local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if (last and last[1] or '0-0') ~= whole(head) .. '-0' then
    return nil, redis.error_reply('DAMAGED the log has gaps')
  end
  if tonumber(redis.call('GET', kept) or head) ~= head then
    return nil, redis.error_reply('DAMAGED the log is not as long as it was')
  end
  return head
end

local function is_expected(expected, version)
  if expected == ANY then return true end
  if expected == EXISTS then return version > 0 end
  if expected == NEW then return version == 0 end
  return tonumber(expected) == version
end

local function packed(position)
  return struct.pack('>I8', position)
end

local function unpacked(positions)
  local numbers = {}
  for index = 1, #positions / POSITION_BYTES do
    numbers[index] = struct.unpack('>I8', positions, (index - 1) * POSITION_BYTES + 1)
  end
  return numbers
end

local function length_of(positions_key)
  return redis.call('STRLEN', positions_key) / POSITION_BYTES
end

-- Up to `limit` positions from the one that has `before` others in front of it.
local function positions_from(key, before, limit)
  local first = before * POSITION_BYTES
  return unpacked(redis.call('GETRANGE', key, first, first + limit * POSITION_BYTES - 1))
end

-- How many of these positions are not after this one.
local function count_until(key, position)
  local least, most = 0, length_of(key)
  while least < most do
    local middle = math.floor((least + most) / 2)
    if positions_from(key, middle, 1)[1] <= position then
      least = middle + 1
    else
      most = middle
    end
  end
  return least
end

local function listed(lists, key)
  local list = lists[key]
  if not list then
    list = {}
    lists[key] = list
  end
  return list
end

-- A user's list of vectors: "<subject> <what their key ends with>", in the order of the bytes.
local VECTORS = '{hark}:vectors:'

local function drop_vectors(user, subject)
  local list = VECTORS .. user
  local members
  if subject == '*' then
    members = redis.call('ZRANGE', list, 0, -1)
  else
    members = redis.call('ZRANGEBYLEX', list, '[' .. subject .. ' ', '(' .. subject .. '!')
  end
  for first = 1, #members, KEYS_AT_ONCE do
    local keys, gone = {}, {}
    for index = first, math.min(first + KEYS_AT_ONCE - 1, #members) do
      gone[#gone + 1] = members[index]
      keys[#keys + 1] = list .. ':' .. members[index]:match(' (.*)$')
    end
    redis.call('DEL', unpack(keys))
    redis.call('ZREM', list, unpack(gone))
  end
end

-- What this group of appends does to keys of subjects, before any of it is written.
local KeyPlan = {}
KeyPlan.__index = KeyPlan

local function key_plan()
  return setmetatable({ ids = {}, emptied = {}, forgot_at = {}, writes = {}, vectors = {} }, KeyPlan)
end

function KeyPlan:id_of(keys, subject)
  local planned = listed(self.ids, keys)[subject]
  if planned ~= nil then return planned end
  if self.emptied[keys] then return false end
  local kept = redis.call('HGET', keys, subject)
  return kept and kept:sub(1, 8)
end

-- Sealed with a key that is not, or no longer, the subject's; or made before a forget that it would outlive.
function KeyPlan:is_stale(keys, user, forgets, subject, bytes, since)
  local kept = self:id_of(keys, subject)
  if kept then return kept ~= bytes:sub(1, 8) end
  if since == '' then return true end
  local forgot_at = self.forgot_at[user] or redis.call('HGET', forgets, user) or '0'
  return forgot_at ~= since
end

function KeyPlan:keep(keys, subject, bytes)
  if self:id_of(keys, subject) then return end
  self.ids[keys][subject] = bytes:sub(1, 8)
  self.writes[#self.writes + 1] = { 'HSET', keys, subject, bytes }
end

function KeyPlan:forget(keys, user, subject)
  self.vectors[#self.vectors + 1] = { user, subject }
  if subject == '*' then
    self.ids[keys] = {}
    self.emptied[keys] = true
    self.writes[#self.writes + 1] = { 'DEL', keys }
  else
    listed(self.ids, keys)[subject] = false
    self.writes[#self.writes + 1] = { 'HDEL', keys, subject }
  end
end

-- Who waits to append to a stream at the version that it saw, in order: "<sender> <until when> " for each. Whoever was
-- too late is next, and holds up the others until it has appended, said that it will not, or was not heard of for long.
local Turns = {}
Turns.__index = Turns

local function turns_in(key, now)
  local any = redis.call('EXISTS', key) == 1
  return setmetatable({ key = key, now = now, any = any, lists = {}, changed = {} }, Turns)
end

function Turns:of(stream)
  local list = self.lists[stream]
  if list then return list end
  list = {}
  local kept = self.any and redis.call('HGET', self.key, stream) or ''
  for sender, ends_at in kept:gmatch('(%S+) (%d+) ') do
    if tonumber(ends_at) > self.now then list[#list + 1] = { sender, tonumber(ends_at) } end
  end
  self.lists[stream] = list
  return list
end

function Turns:is_of_another(stream, sender)
  local first = self:of(stream)[1]
  return first ~= nil and first[1] ~= sender
end

function Turns:place_of(stream, sender)
  for index, waiting in ipairs(self:of(stream)) do
    if waiting[1] == sender then return index end
  end
end

-- Whoever is first gets no more time by trying again, so that nobody can hold up the others for ever.
function Turns:wait_for(stream, sender)
  local list, place = self:of(stream), self:place_of(stream, sender)
  if place == 1 then return end
  list[place or #list + 1] = { sender, self.now + TURN_KEPT_MS }
  self.changed[stream] = true
end

function Turns:leave(stream, sender)
  local place = self:place_of(stream, sender)
  if not place then return end
  table.remove(self.lists[stream], place)
  self.changed[stream] = true
end

function Turns:write()
  for stream in next, self.changed do
    local list = self.lists[stream]
    for index, waiting in ipairs(list) do list[index] = waiting[1] .. ' ' .. whole(waiting[2]) .. ' ' end
    if #list == 0 then
      redis.call('HDEL', self.key, stream)
    else
      redis.call('HSET', self.key, stream, table.concat(list))
      redis.call('PEXPIRE', self.key, whole(2 * TURN_KEPT_MS))
    end
  end
end

-- As many as a group has appends, which Lua can pass in one call.
local function keep_commands(commands, ages, ids, gave, now)
  local fields, aged = {}, {}
  for index, id in next, ids do
    fields[index * 2 - 1], fields[index * 2] = id, gave[id]
    aged[index] = now .. ' ' .. id
  end
  redis.call('HSET', commands, unpack(fields))
  redis.call('RPUSH', ages, unpack(aged))
end

-- Each turn at most twice as many as came, so that it keeps up and never takes long.
local function forget_old_commands(commands, ages, now, came)
  local function is_old(aged)
    return aged and tonumber(aged:match('^%d+')) <= now - COMMANDS_KEPT_MS
  end
  if not is_old(redis.call('LINDEX', ages, 0)) then return end
  local old = {}
  for _, aged in ipairs(redis.call('LRANGE', ages, 0, 2 * came - 1)) do
    if not is_old(aged) then break end
    old[#old + 1] = aged:match('^%d+ (.*)$')
  end
  redis.call('HDEL', commands, unpack(old))
  redis.call('LPOP', ages, #old)
end

-- KEYS: log, meta, commands, command ages, forgets, unpurged, the system's snapshots, head, turns;
--       then for each append its stream, the positions of its user and, where keys change, keys and snapshots.
-- ARGV: log id, channel, sender, number of appends; then for each append
--       expected, command id, at, user, numbers of events, keys and forgets;
--       a key is subject, bytes and (to be kept) since which forget, a forget is a subject,
--       an event its row without the version, and what is sealed of it.
-- Gives three numbers an append: what became of it, and two that depend on that.
local function append(KEYS, ARGV)
  local log, meta, commands, ages, forgets, unpurged = unpack(KEYS, 1, 6)
  if redis.call('HGET', meta, 'logId') ~= ARGV[1] then
    return redis.error_reply('REPLACED another log stands here')
  end
  local head, damage = head_of(log, KEYS[8])
  if damage then return damage end
  local longest = head
  local next_key, next_argument = 10, 5
  local versions, seen = {}, {}
  local plan = key_plan()
  local rows, streams, users, stored_commands, dropped = {}, {}, {}, {}, {}
  local results, written = {}, 0
  local now = now_ms()
  local sender, turns = ARGV[3], turns_in(KEYS[9], now)

  for _ = 1, tonumber(ARGV[4]) do
    local expected, command, at, user = unpack(ARGV, next_argument, next_argument + 3)
    local events, keys_used, forgotten =
      tonumber(ARGV[next_argument + 4]), tonumber(ARGV[next_argument + 5]), tonumber(ARGV[next_argument + 6])
    local first_key = next_argument + 7
    local first_forget = first_key + keys_used * 3
    local first_event = first_forget + forgotten
    next_argument = first_event + events * 2
    local stream, positions = KEYS[next_key], KEYS[next_key + 1]
    next_key = next_key + 2
    local keys, snapshots
    if keys_used + forgotten > 0 then
      keys, snapshots = KEYS[next_key], KEYS[next_key + 1]
      next_key = next_key + 2
    end

    local version = versions[stream]
    if not version then
      version = length_of(stream)
      if version > longest or (longest == 0 and length_of(positions) > 0) then
        return redis.error_reply('DAMAGED there is more beside the log than in it')
      end
      versions[stream] = version
    end
    local repeated = command ~= '' and (seen[command] or redis.call('HGET', commands, command))
    local is_at_version = tonumber(expected) >= 0
    local is_fit = is_expected(expected, version)
    local is_others_turn = is_fit and is_at_version and turns:is_of_another(stream, sender)
    local stale
    if not repeated and is_fit then
      for index = 0, keys_used - 1 do
        local subject, bytes, since = unpack(ARGV, first_key + index * 3, first_key + index * 3 + 2)
        if plan:is_stale(keys, user, forgets, subject, bytes, since) then
          stale = index
          break
        end
      end
    end

    local result = #results
    if repeated then
      local position, of_version = repeated:match('^(%d+) (%d+)')
      results[result + 1], results[result + 2], results[result + 3] =
        REPEATED, tonumber(position), tonumber(of_version)
      turns:leave(stream, sender)
    elseif not is_fit then
      results[result + 1], results[result + 2], results[result + 3] = CONFLICT, version, 0
      if is_at_version then turns:wait_for(stream, sender) end
    elseif is_others_turn then
      results[result + 1], results[result + 2], results[result + 3] = OTHERS_TURN, version, 0
      turns:wait_for(stream, sender)
    elseif stale then
      results[result + 1], results[result + 2], results[result + 3] = STALE_KEY, stale, 0
    else
      results[result + 1], results[result + 2], results[result + 3] = APPENDED, head + 1, version + events
      if is_at_version then turns:leave(stream, sender) end
      for index = 0, keys_used - 1 do
        local subject, bytes, since = unpack(ARGV, first_key + index * 3, first_key + index * 3 + 2)
        if since ~= '' then plan:keep(keys, subject, bytes) end
      end
      for index = 0, forgotten - 1 do plan:forget(keys, user, ARGV[first_forget + index]) end
      local of_stream, of_user = listed(streams, stream), listed(users, positions)
      for index = 0, events - 1 do
        head = head + 1
        version = version + 1
        written = written + 1
        rows[written * 2 - 1] = '[' .. version .. ARGV[first_event + index * 2]
        rows[written * 2] = ARGV[first_event + index * 2 + 1]
        local position = packed(head)
        of_stream[#of_stream + 1] = position
        of_user[#of_user + 1] = position
      end
      versions[stream] = version
      if command ~= '' then
        seen[command] = head .. ' ' .. version .. ' ' .. at
        stored_commands[#stored_commands + 1] = command
      end
      if forgotten > 0 then
        plan.forgot_at[user] = whole(head)
        dropped[#dropped + 1] = snapshots
      end
    end
  end

  local first = head - written
  for index = 1, written do
    local id = (first + index) .. '-0'
    local sealed = rows[index * 2]
    if sealed == '' then
      redis.call('XADD', log, id, 'e', rows[index * 2 - 1])
    else
      redis.call('XADD', log, id, 'e', rows[index * 2 - 1], 's', sealed)
    end
  end
  for _, indexes in next, { streams, users } do
    for key, positions in next, indexes do
      if #positions > 0 then redis.call('APPEND', key, table.concat(positions)) end
    end
  end
  if #stored_commands > 0 then
    keep_commands(commands, ages, stored_commands, seen, whole(now))
    forget_old_commands(commands, ages, now, #stored_commands)
  end
  turns:write()
  for _, write in next, plan.writes do redis.call(unpack(write)) end
  for _, of in next, plan.vectors do drop_vectors(unpack(of)) end
  for user, position in next, plan.forgot_at do redis.call('HSET', forgets, user, position) end
  if #dropped > 0 then
    -- The system's snapshots may have been drawn from anybody's events.
    redis.call('HSET', forgets, '', whole(head))
    redis.call('DEL', KEYS[7], unpack(dropped))
    redis.call('INCR', unpurged)
  end
  if written > 0 then
    redis.call('SET', KEYS[8], whole(head))
    redis.call('PUBLISH', ARGV[2], head .. ' ' .. sender)
  end
  return results
end

-- KEYS: turns, stream. ARGV: sender.
local function leave_turn(KEYS, ARGV)
  local turns = turns_in(KEYS[1], now_ms())
  turns:leave(KEYS[2], ARGV[1])
  turns:write()
  return redis.status_reply('OK')
end

-- KEYS: log, head, then for each event its stream and the positions of its user.
-- ARGV: first position, then for each event its version, row and what is sealed of it.
local function import_events(KEYS, ARGV)
  local log = KEYS[1]
  local head, damage = head_of(log, KEYS[2])
  if damage then return damage end
  local first = tonumber(ARGV[1])
  if first ~= head + 1 then return redis.error_reply('NOTEMPTY events are imported into an empty log') end
  local versions = {}
  for index = 1, (#KEYS - 2) / 2 do
    local stream = KEYS[index * 2 + 1]
    versions[stream] = (versions[stream] or length_of(stream)) + 1
    if versions[stream] ~= tonumber(ARGV[index * 3 - 1]) then
      return redis.error_reply('DAMAGED the versions of a stream have gaps')
    end
  end
  for index = 1, (#KEYS - 2) / 2 do
    local version, row, sealed = unpack(ARGV, index * 3 - 1, index * 3 + 1)
    local position = first + index - 1
    local id = whole(position) .. '-0'
    if sealed == '' then
      redis.call('XADD', log, id, 'e', '[' .. version .. row)
    else
      redis.call('XADD', log, id, 'e', '[' .. version .. row, 's', sealed)
    end
    redis.call('APPEND', KEYS[index * 2 + 1], packed(position))
    redis.call('APPEND', KEYS[index * 2 + 2], packed(position))
  end
  redis.call('SET', KEYS[2], whole(first + (#KEYS - 2) / 2 - 1))
  return redis.status_reply('OK')
end

local function entries_at(log, positions, limit, until_position)
  local entries = {}
  for _, position in ipairs(positions) do
    if #entries == limit or position > until_position then break end
    local id = whole(position) .. '-0'
    entries[#entries + 1] = redis.call('XRANGE', log, id, id)[1]
  end
  return entries
end

-- KEYS: log, stream. ARGV: from version, until position, limit, after position.
local function read_stream(KEYS, ARGV)
  local limit = tonumber(ARGV[3])
  local before, after = tonumber(ARGV[1]) - 1, tonumber(ARGV[4])
  if after > 0 then before = math.max(before, count_until(KEYS[2], after)) end
  return entries_at(KEYS[1], positions_from(KEYS[2], before, limit), limit, tonumber(ARGV[2]))
end

-- KEYS: log, the user's positions, the system's. ARGV: after, until, limit. Both in one, in order.
local function read_user(KEYS, ARGV)
  local after, limit = tonumber(ARGV[1]), tonumber(ARGV[3])
  local own = positions_from(KEYS[2], count_until(KEYS[2], after), limit)
  local systems = positions_from(KEYS[3], count_until(KEYS[3], after), limit)
  local merged, o, s = {}, 1, 1
  while #merged < limit and (own[o] or systems[s]) do
    if not systems[s] or (own[o] and own[o] < systems[s]) then
      merged[#merged + 1] = own[o]
      o = o + 1
    else
      merged[#merged + 1] = systems[s]
      s = s + 1
    end
  end
  return entries_at(KEYS[1], merged, limit, tonumber(ARGV[2]))
end

-- KEYS: snapshots, keys, forgets.
-- ARGV: owner, name, position, state, and when it is sealed: subject, bytes, since.
local function save_snapshot(KEYS, ARGV)
  local owner, name, position, state, subject, bytes, since = unpack(ARGV)
  -- A state from before a forget still holds what was forgotten.
  if tonumber(position) < tonumber(redis.call('HGET', KEYS[3], owner) or '0') then return 0 end
  if subject then
    local plan = key_plan()
    if plan:is_stale(KEYS[2], owner, KEYS[3], subject, bytes, since) then return 0 end
    if since ~= '' then redis.call('HSETNX', KEYS[2], subject, bytes) end
  end
  redis.call('HSET', KEYS[1], name, state)
  return 1
end

-- KEYS: the user's keys, the list of their vectors.
-- ARGV: subject, the field of the vectors, then what each key ends with, and the vector.
-- Of a subject that was forgotten nothing is kept. What had another field before has only this one then.
local function keep_vectors(KEYS, ARGV)
  local subject, field = ARGV[1], ARGV[2]
  if redis.call('HEXISTS', KEYS[1], subject) == 0 then return 0 end
  for index = 3, #ARGV, 2 do
    local key = KEYS[2] .. ':' .. ARGV[index]
    redis.call('DEL', key)
    redis.call('HSET', key, field, ARGV[index + 1])
    redis.call('ZADD', KEYS[2], 0, subject .. ' ' .. ARGV[index])
  end
  return 1
end

-- KEYS: cursors. ARGV: name, token it was read with, new position. A cursor is "<position> <token>".
local function move_cursor(KEYS, ARGV)
  local token = (redis.call('HGET', KEYS[1], ARGV[1]) or '0 0'):match(' (%d+)$')
  if token ~= ARGV[2] then return false end
  local moved = tonumber(token) + 1
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3] .. ' ' .. whole(moved))
  return moved
end

-- A lease is "<fence> <expires at> <holder>".
local function lease_of(leases, name)
  local fence, expires_at, holder = (redis.call('HGET', leases, name) or '0 0 '):match('^(%d+) (%d+) (.*)$')
  return tonumber(fence), tonumber(expires_at), holder
end

-- KEYS: leases. ARGV: name, holder, milliseconds.
local function acquire_lease(KEYS, ARGV)
  local now = now_ms()
  local fence, expires_at, holder = lease_of(KEYS[1], ARGV[1])
  local free = expires_at <= now
  if not free and holder ~= ARGV[2] then return false end
  if free then fence = fence + 1 end
  expires_at = now + tonumber(ARGV[3])
  redis.call('HSET', KEYS[1], ARGV[1], whole(fence) .. ' ' .. whole(expires_at) .. ' ' .. ARGV[2])
  return { fence, expires_at }
end

-- KEYS: leases. ARGV: name, holder, fence.
local function release_lease(KEYS, ARGV)
  local fence, _, holder = lease_of(KEYS[1], ARGV[1])
  if holder ~= ARGV[2] or fence ~= tonumber(ARGV[3]) then return 0 end
  return redis.call('HSET', KEYS[1], ARGV[1], ARGV[3] .. ' 0 ' .. holder)
end

-- KEYS: bucket. ARGV: capacity, tokens a millisecond, how many. Kept only until it would be full again.
local function take_tokens(KEYS, ARGV)
  local capacity, rate, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local now = now_ms()
  local tokens, at = (redis.call('GET', KEYS[1]) or ''):match('^(%S+) (%d+)$')
  local passed = math.max(0, now - (tonumber(at) or now))
  tokens = math.min(capacity, (tonumber(tokens) or capacity) + passed * rate)
  local allowed = tokens >= wanted
  if allowed then tokens = tokens - wanted end
  local full_after = math.ceil((capacity - tokens) / rate) + 1
  redis.call('SET', KEYS[1], string.format('%.17g %.0f', tokens, now), 'PX', whole(math.min(full_after, 1e14)))
  return { allowed and 1 or 0, math.floor(tokens), allowed and 0 or math.ceil((wanted - tokens) / rate) }
end

-- KEYS: log, meta, head. ARGV: an id for a log that has none yet. Gives the log's id and its head.
local function introduce(KEYS, ARGV)
  local head, damage = head_of(KEYS[1], KEYS[3])
  if damage then return damage end
  redis.call('HSETNX', KEYS[2], 'logId', ARGV[1])
  return { redis.call('HGET', KEYS[2], 'logId'), head }
end

-- KEYS: meta. ARGV: the id it had, the id it gets. For a log that lost its newest events: no longer the same.
local function rename(KEYS, ARGV)
  if redis.call('HGET', KEYS[1], 'logId') == ARGV[1] then redis.call('HSET', KEYS[1], 'logId', ARGV[2]) end
  return redis.call('HGET', KEYS[1], 'logId')
end

-- KEYS: unpurged. ARGV: how many forgets there were when the files began to be written anew.
local function purged(KEYS, ARGV)
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
  return 0
end

local function reading(name, callback)
  redis.register_function({ function_name = name, callback = callback, flags = { 'no-writes' } })
end

-- Not refused for want of room: by these a full Redis is looked at, and they hardly take any.
local function always(name, callback)
  redis.register_function({ function_name = name, callback = callback, flags = { 'allow-oom' } })
end

reading('hark_version', function() return VERSION end)
reading('hark_read_stream', read_stream)
reading('hark_read_user', read_user)
redis.register_function('hark_append', append)
always('hark_leave_turn', leave_turn)
redis.register_function('hark_import', import_events)
redis.register_function('hark_save_snapshot', save_snapshot)
redis.register_function('hark_keep_vectors', keep_vectors)
redis.register_function('hark_move_cursor', move_cursor)
redis.register_function('hark_acquire_lease', acquire_lease)
always('hark_release_lease', release_lease)
redis.register_function('hark_take_tokens', take_tokens)
always('hark_introduce', introduce)
always('hark_rename', rename)
always('hark_purged', purged)
