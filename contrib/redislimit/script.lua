-- The limit of one scope, in one hash, so that Redis loses all of it or nothing. Every
-- instant is in microseconds of Redis's own clock. Field "m" has the state, fields
-- "b<window>:<tick>" how many slots come free at a tick.
local key, a = KEYS[1], cjson.decode(ARGV[1])
local OK, REPORT, STALE, WINDOWS = 0, 1, 2, 3
-- GRACE is how long a process that waits may be late before others pass it.
local POLL, GRACE, SOON = 100000, 400000, 2000
-- URGENT is when an urgent request may probe a doubt for the first time; the wait doubles
-- up to RARELY.
local URGENT, RARELY = 10000000, 60000000

local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
-- Another server or another run of this one may lack the last writes.
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''

local raw = redis.call('HGET', key, 'm')
local m = raw and cmsgpack.unpack(raw)
-- Every instant below is of a clock that never goes back: when Redis's is set back, off
-- makes up for it, and time goes on from where it was.
if m then
  now = now + (m.off or 0)
  if m.now > now then m.off, now = (m.off or 0) + m.now - now, m.now end
end

-- name is a field's; .. alone would cut a number after 14 digits.
local function name(prefix, w, at) return prefix .. string.format('%.0f:%.0f', w, at) end

-- fields calls f with the values of a window's ticks, from..to, until it returns true.
local function fields(prefix, w, from, to, f)
  while from <= to do
    local names, last = {}, math.min(to, from + 199)
    for i = from, last do names[#names + 1] = name(prefix, w, i) end
    local values = redis.call('HMGET', key, unpack(names))
    for i = 1, #names do
      if values[i] and f(from + i - 1, tonumber(values[i]), names[i]) then return true end
    end
    from = last + 1
  end
end

local function sweep(prefix, w, from, to)
  local gone = {}
  fields(prefix, w, from, to, function(_, _, field) gone[#gone + 1] = field end)
  for i = 1, #gone, 500 do redis.call('HDEL', key, unpack(gone, i, math.min(#gone, i + 499))) end
end

-- A new epoch: every process reports what it sent before anyone goes on.
local function begin()
  if not m then
    m = {k = 0, hold = 0, caps = {}, procs = {}, win = {}, seq = 0}
    for i, b in ipairs(a.w) do m.win[i] = {w = b[2], n = 0, a = 0, z = -1} end
  end
  for _, w in ipairs(m.win) do sweep('r' .. m.k .. ':', w.w, w.a, w.z) end
  m.e, m.run, m.k, m.cut, m.ready = a.nonce, run, m.k + 1, now, now + a.report
end
if not m or m.run ~= run or m.e == a.e and m.seq < a.seq then begin() end
m.now = now

local function sameWindows()
  for i, b in ipairs(a.w) do
    if not m.win[i] or m.win[i].w ~= b[2] then return false end
  end
  return #m.win == #a.w
end

-- change takes other windows over, with what was sent of the one of the same length, or
-- of the longest. What a longer window would have counted before that is not known.
local function change()
  begin()
  local old, longest = {}, nil
  for _, w in ipairs(m.win) do
    local slots = {}
    fields('b', w.w, w.a, w.z, function(at, count) slots[#slots + 1] = {at, count} end)
    sweep('b', w.w, w.a, w.z)
    old[w.w] = {w = w.w, tick = math.ceil(w.w / 1024), slots = slots}
    if not longest or w.w > longest.w then longest = old[w.w] end
  end
  m.win = {}
  for i, b in ipairs(a.w) do
    local w, from = {w = b[2], n = 0, a = 0, z = -1}, old[b[2]] or longest
    for _, slot in ipairs(from and from.slots or {}) do
      local answered = slot[1] * from.tick - from.w -- at the latest
      local at = math.floor((answered + b[2]) / b[3]) + 1
      if from.w == b[2] then at = slot[1] end
      if at * b[3] > now then
        redis.call('HINCRBY', key, name('b', w.w, at), slot[2])
        if w.n == 0 then w.a, w.z = at, at else w.a, w.z = math.min(w.a, at), math.max(w.z, at) end
        w.n = w.n + slot[2]
      end
    end
    m.win[i] = w
  end
end

if not sameWindows() then
  for _, p in pairs(m.procs) do
    if p.l > now then return {WINDOWS, '', now} end
  end
  change()
end
local tick = function(i) return a.w[i][3] end
-- free is the tick at which a slot comes free that was answered at the given instant:
-- the first one after a whole window.
local function free(i, answered) return math.floor((answered + a.w[i][2]) / tick(i)) + 1 end

local function widen(w, at, count)
  if w.n == 0 then w.a, w.z = at, at else w.a, w.z = math.min(w.a, at), math.max(w.z, at) end
  w.n = w.n + count
end

local function answer(at, count)
  for i, w in ipairs(m.win) do
    local slot = free(i, at)
    if slot * tick(i) > now then
      redis.call('HINCRBY', key, name('b', w.w, slot), count)
      widen(w, slot, count)
    end
  end
end

-- What was under way in a process that died counts as sent when its lease ended.
local underWay = 0
for id, p in pairs(m.procs) do
  if p.l <= now then
    if p.f > 0 then answer(p.l, p.f) end
    m.procs[id] = nil
  else
    underWay = underWay + p.f
  end
end
for i, w in ipairs(m.win) do
  local to = math.min(math.floor(now / tick(i)), w.z)
  if w.n > 0 and w.a <= to then
    fields('b', w.w, w.a, to, function(_, count) w.n = w.n - count end)
    sweep('b', w.w, w.a, to)
    sweep('r' .. m.k .. ':', w.w, w.a, to)
    w.a = to + 1
  end
end
while #m.caps > 0 and m.caps[1][1] <= now do table.remove(m.caps, 1) end

-- A doubt (m.doubt) is a wait that the service stated and may not mean. Until till one
-- request at a time probes: an ordinary one at ordinary, an urgent one at urgent too. probe
-- is the process whose request is under way, was the schedule before it, and answered says
-- that one was sent.
local function doubted() return m.doubt and now < m.doubt.till end

local function probeAt(rank)
  local s = m.doubt.schedule
  return rank == 1 and math.min(s.ordinary, s.urgent) or s.ordinary
end

local function beginProbe()
  local d = m.doubt
  local s = d.schedule
  d.probe, d.was = a.p, s
  d.schedule = {
    ordinary = s.ordinary, every = s.every, pause = math.min(2 * s.pause, RARELY),
    urgent = now + math.min(2 * s.pause, RARELY),
  }
  if now >= s.ordinary then d.schedule.every, d.schedule.ordinary = 2 * s.every, now + 2 * s.every end
end

-- endProbe counts the pauses from the answer. A probe that was not sent is none.
local function endProbe(sent)
  local d = m.doubt
  d.probe = nil
  if not sent then d.schedule = d.was return end
  local s = d.schedule
  d.answered, s.urgent = true, now + s.pause
  if s.ordinary ~= d.was.ordinary then s.ordinary = now + s.every end
end

-- The probe of a process that died, or that lost the answer, counts as sent.
if m.doubt and m.doubt.probe and not m.procs[m.doubt.probe] then endProbe(true) end

-- unused is how many slots may be taken now.
local function unused(rank)
  if now < m.hold or now < m.ready then return 0 end
  if doubted() and (m.doubt.probe or now < probeAt(rank)) then return 0 end
  local n = 1e9
  for i, w in ipairs(m.win) do n = math.min(n, a.w[i][1] - w.n - underWay) end
  for _, c in ipairs(m.caps) do n = math.min(n, c[2]) end
  if doubted() then n = math.min(n, 1) end
  return math.max(n, 0)
end

-- windowAt is when a window has a slot for a request with so many ahead of it, if what
-- is under way is answered now.
local function windowAt(i, ahead)
  local w, size = m.win[i], a.w[i][1]
  local rounds, slot = math.floor(ahead / size), ahead % size
  slot = slot - math.max(size - w.n - underWay, 0)
  local at = now
  if slot >= 0 then
    at = free(i, now) * tick(i)
    fields('b', w.w, w.a, w.z, function(place, count)
      if slot < count then at = place * tick(i) return true end
      slot = slot - count
    end)
  end
  if rounds > 0 then at = free(i, at) * tick(i) + (rounds - 1) * (w.w + tick(i)) end
  return at
end

-- probing is when a request of this rank can go under a doubt. When a probe under way ends
-- is not known: whoever waits for that looks again.
local function probing(rank)
  if not doubted() then return now end
  local at = probeAt(rank)
  if m.doubt.probe then at = math.max(at, now + 1000000) end
  return math.min(at, m.doubt.till)
end

local function earliest(ahead, rank)
  local at = math.max(now, m.hold, m.ready, probing(rank))
  for _, c in ipairs(m.caps) do
    if c[2] <= ahead then at = math.max(at, c[1]) end
  end
  for i = 1, #m.win do at = math.max(at, windowAt(i, ahead)) end
  return at
end

local function shift(by)
  for _, c in ipairs(m.caps) do c[2] = c[2] + by end
end

-- before counts the waiters of a process that came before an instant. It names its
-- first ones only.
local function before(list, count, at)
  local n = 0
  for _, arrived in ipairs(list) do if arrived < at then n = n + 1 end end
  if n == #list then n = math.max(n, count) end
  return n
end

-- ahead counts the waiters of other processes that are served before one.
local function ahead(rank, at)
  local n = 0
  for id, p in pairs(m.procs) do
    if id ~= a.p and p.t >= now then
      if rank == 1 then
        n = n + before(p.u, p.uc, at)
      else
        n = n + p.uc + before(p.o, p.oc, at)
      end
    end
  end
  return n
end

local function reply(...)
  m.seq = m.seq + 1
  redis.call('HSET', key, 'm', cmsgpack.pack(m))
  redis.call('PEXPIRE', key, a.keep)
  return {OK, m.e, now, m.seq, ...}
end

-- refuse keeps the epoch, or every call would begin another, and what was settled above.
local function refuse(code)
  redis.call('HSET', key, 'm', cmsgpack.pack(m))
  redis.call('PEXPIRE', key, a.keep)
  return {code, m.e, now}
end

local p = m.procs[a.p]
local function arrivals(ages)
  local list = {}
  for i, age in ipairs(ages) do list[i] = now - age end
  return list
end

if a.op == 'sync' then
  if p and a.s <= p.s then return refuse(STALE) end
  if a.e ~= m.e and not a.full then return refuse(REPORT) end
  p = p or {u = {}, o = {}, uc = 0, oc = 0, t = 0}
  p.s, p.f, p.l = a.s, a.f, now + a.lease
  m.procs[a.p] = p
  if a.owed > 0 then answer(now, a.owed) end
  if m.doubt and m.doubt.probe == a.p and not a.probing then endProbe(true) end
  if a.e ~= m.e then
    for i, list in ipairs(a.b) do
      local w, cut = m.win[i], free(i, m.cut)
      for _, pair in ipairs(list) do
        -- It comes free a window from now at the latest, whatever clock it was told by.
        local at, count = math.min(pair[1], free(i, now)), pair[2]
        local field = name('b', w.w, at)
        if at * tick(i) > now then
          -- What is left of the state before the cut has part of the reports in it.
          if at < cut then
            local reported = redis.call('HINCRBY', key, name('r' .. m.k .. ':', w.w, at), count)
            count = math.max(0, reported - (tonumber(redis.call('HGET', key, field)) or 0))
          end
          if count > 0 then
            redis.call('HINCRBY', key, field, count)
            widen(w, at, count)
          end
        end
      end
    end
  end
  return reply(m.ready)
end

if a.e == m.e and not p and a.f == 0 then
  p = {s = a.s, f = 0, u = {}, o = {}, uc = 0, oc = 0, t = 0}
  m.procs[a.p] = p
end
if a.e ~= m.e or not p or p.s ~= a.s then return refuse(REPORT) end
p.l = now + a.lease

if a.op == 'take' then
  local granted, at, sleep, probe = 0, 0, 0, 0
  for _, ask in ipairs(a.ask) do
    local rank, own = ask[1], ask[3] - granted
    local others = ahead(rank, now - ask[2])
    local n = unused(rank)
    if n <= others + own then
      at = earliest(others + own, rank)
      sleep = n > 0 and SOON or math.min(POLL, math.max(at - now, SOON / 4))
      break
    end
    granted = granted + 1
    p.f, underWay = p.f + 1, underWay + 1
    shift(-1)
    if doubted() then
      beginProbe()
      probe = 1
    end
    local list, count = rank == 1 and a.u or a.o, rank == 1 and 'uc' or 'oc'
    table.remove(list, 1)
    a[count] = math.max(0, a[count] - 1)
  end
  if a.wait and at - now <= a.pat then
    p.u, p.o, p.uc, p.oc, p.t = arrivals(a.u), arrivals(a.o), a.uc, a.oc, now + sleep + GRACE
  end
  return reply(granted, at, sleep, probe)
end

if a.op == 'done' then
  p.f = math.max(0, p.f - 1)
  if a.sent then answer(now, 1) else shift(1) end
  if a.probe and m.doubt and m.doubt.probe == a.p then endProbe(a.sent) end
  return reply()
end

if a.op == 'hold' then
  m.hold = math.max(m.hold, now + a.d)
  return reply()
end

if a.op == 'doubt' then
  if not doubted() then
    m.doubt = {till = 0, schedule = {ordinary = now + a.until_probe, every = a.until_probe, urgent = now + URGENT, pause = URGENT}}
  end
  m.doubt.till = math.max(m.doubt.till, now + a.d)
  return reply()
end

if a.op == 'trust' then
  if m.doubt and m.doubt.answered then m.doubt = nil end
  return reply()
end

if a.op == 'tighten' then
  local till, left = now + a.d, a.n - underWay
  if a.d <= 0 then return reply() end
  for _, c in ipairs(m.caps) do
    if c[1] >= till and c[2] <= left then return reply() end
  end
  for i = #m.caps, 1, -1 do
    if m.caps[i][1] <= till and m.caps[i][2] >= left then table.remove(m.caps, i) end
  end
  local i = 1
  while i <= #m.caps and m.caps[i][1] < till do i = i + 1 end
  table.insert(m.caps, i, {till, left})
  if #m.caps > 16 then
    m.caps[#m.caps - 1][1] = m.caps[#m.caps][1]
    table.remove(m.caps)
  end
  return reply()
end

if a.op == 'lift' then
  m.hold, m.caps, m.doubt = 0, {}, nil
  return reply()
end

-- held
local till = math.max(m.hold, probing(2))
for _, c in ipairs(m.caps) do
  if c[2] <= 0 then till = math.max(till, c[1]) end
end
return reply(till)
