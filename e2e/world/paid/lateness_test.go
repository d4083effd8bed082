package paid

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"
)

// life is a process that lives for a time, with a call for the key all the while.
type life struct{ from, to time.Duration }

// TestLatenessOfTheDead counts a key of which nobody was told, at a node that
// prunes a block before the status cache forgets it, so that its processes must
// have learned where its window lies while they could.
func TestLatenessOfTheDead(t *testing.T) {
	const end = 10 * time.Minute
	for _, c := range []struct {
		name  string
		lives []life
		want  telling
	}{
		{"one process", []life{{0, end}}, telling{provable: 1}},
		{"it dies at once, and the next comes when its block is gone",
			[]life{{0, 0}, {97 * time.Second, end}}, telling{noProof: 1}},
		{"it dies after 5 s, and the next comes then",
			[]life{{0, 5 * time.Second}, {97 * time.Second, end}}, telling{provable: 1}},
		{"it dies at once, and the next comes before that", []life{{0, 0}, {time.Minute, end}}, telling{provable: 1}},
		{"it dies after 5 s, and the next is too late", []life{{0, 5 * time.Second}, {2 * time.Minute, end}}, telling{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := lateness(t, world.Gaps{Keep: 200}, c.lives, 0); got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			})
		})
	}
}

// TestLatenessOfTheArchive counts a key at a node whose status cache has its window for 40 s, and whose archive
// has it five minutes later. The first of the two that a process attends decides.
func TestLatenessOfTheArchive(t *testing.T) {
	const end = 14 * time.Minute
	always, never := life{0, end}, time.Duration(0)
	for _, c := range []struct {
		name  string
		lives []life
		told  time.Duration
		want  telling
	}{
		{"told from the cache", []life{always}, 100 * time.Second, telling{1, 1, 0}},
		{"told soon after the cache's time", []life{always}, 170 * time.Second, telling{1, 1, 0}},
		{"told late", []life{always}, 4 * time.Minute, telling{0, 1, 0}},
		{"told from the archive, though the cache's was attended", []life{always}, 470 * time.Second, telling{0, 1, 0}},
		{"never told", []life{always}, never, telling{0, 1, 0}},
		{"told from the cache by one that is gone when the archive has it",
			[]life{{0, 5 * time.Minute}}, 100 * time.Second, telling{1, 1, 0}},
		{"gone when the archive has it, and never told", []life{{0, 5 * time.Minute}}, never, telling{0, 1, 0}},
		{"dead while the cache has it, told from the archive",
			[]life{{0, 50 * time.Second}, {4 * time.Minute, end}}, 470 * time.Second, telling{1, 1, 0}},
		{"dead while the cache has it, told late",
			[]life{{0, 50 * time.Second}, {4 * time.Minute, end}}, 10 * time.Minute, telling{0, 1, 0}},
		{"dead while the cache has it, never told",
			[]life{{0, 50 * time.Second}, {4 * time.Minute, end}}, never, telling{0, 1, 0}},
		{"dead while either has it", []life{{0, 50 * time.Second}, {4 * time.Minute, 5 * time.Minute}}, never, telling{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := lateness(t, world.Gaps{ArchiveLag: 900}, c.lives, c.told); got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			})
		})
	}
}

// lateness judges a key with such lives at a node with such gaps, which was told after a time, or never if
// that is 0.
func lateness(t *testing.T, gaps world.Gaps, lives []life, told time.Duration) telling {
	p := perfect(1)
	p.World.Landing = world.Landing{Hold: 1, Drop: 1}
	p.World.Nodes = []world.NodeConfig{{Gaps: gaps}}
	s, b := stageOfOne(t, p)
	c, k, x := s.court, b.key, b.txs[0]
	c.sign(x.message, k.owner.sign(x.message), "")
	if err := s.w.Leak(x.raw); err != nil {
		t.Fatal(err)
	}
	for _, l := range lives {
		from, to := x.signed.Add(l.from), x.signed.Add(l.to)
		k.calls = append(k.calls, call{p: &proc{ended: to}, from: from, to: to})
	}
	if told > 0 {
		x.told = x.signed.Add(told)
	}
	time.Sleep(15 * time.Minute)
	return c.lateness()
}

// TestAttended: a call that begins soon after a proof's start counts if there is
// time for what the proof takes, and from an earlier process on if that has begun. One that came back before counts
// if it had been told.
func TestAttended(t *testing.T) {
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return from.Add(time.Duration(seconds) * time.Second) }
	for _, c := range []struct {
		name         string
		until        int // 0 means without end
		begins, ends int // the call
		earlier      int // an earlier process began then and ended 1 s later, 0 if there was none
		told         int // 0 if it was not
		want         bool
	}{
		{"all the while", 40, -60, 100, 0, 0, true},
		{"all the while, and it never ends", 0, -60, 100, 0, 0, true},
		{"in time, and it never ends", 0, 29, 100, 0, 0, true},
		{"too late", 0, 31, 100, 0, 0, false},
		{"it came back before", 0, -60, -1, 0, 0, false},
		{"it was told, and came back before", 40, -60, -1, 0, -2, true},
		{"it came back before it was told", 40, -60, -3, 0, -2, false},
		{"it was told, then asked, and came back before", 40, -10, -1, 0, -20, false},
		{"it was told, and came back before one that is too short", 15, -60, -1, 0, -2, false},
		{"too short for anybody who looks at times", 15, -60, 100, 0, 0, false},
		{"just long enough for that", 16, -60, 100, 0, 0, true},
		{"no time to look twice", 46, 29, 100, 0, 0, false},
		{"just time to look twice", 47, 29, 100, 0, 0, true},
		{"the first look was an earlier process's", 46, 29, 100, -10, 0, true},
		{"that was before the first look", 46, 29, 100, -60, 0, false},
		{"it is over when the call begins", 29, 29, 100, -10, 0, false},
	} {
		x := &tx{signed: at(-90)}
		if c.told != 0 {
			x.told = at(c.told)
		}
		k := &key{machine: &machine{}}
		if c.earlier != 0 {
			p := &proc{ended: at(c.earlier + 1)}
			k.calls = append(k.calls, call{p: p, from: at(c.earlier), to: p.ended})
		}
		k.calls = append(k.calls, call{p: &proc{ended: at(1000)}, from: at(c.begins), to: at(c.ends)})
		proof := world.Proof{OK: true, From: from, Takes: 17 * time.Second}
		if c.until > 0 {
			proof.Until = at(c.until)
		}
		if got := k.attended(x, proof, k.asked(x)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestAttendedNonce: a proof on a nonce counts if its value was final for as long as a wallet waits between two
// looks.
func TestAttendedNonce(t *testing.T) {
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for shown, want := range map[time.Duration]bool{0: false, slowest - 1: false, slowest: true, time.Hour: true} {
		k := &key{machine: &machine{}, nonce: world.Key{1}}
		k.calls = []call{{p: &proc{}, from: from.Add(-time.Minute), to: from.Add(time.Hour)}}
		if got := k.attended(&tx{}, world.Proof{OK: true, From: from, Shown: shown}, nil); got != want {
			t.Errorf("a value that was final for %v: %v", shown, got)
		}
	}
}

// TestAsked: a process asks from the call on, or from the signature if that is
// later, until it ends, and not while it stands still.
func TestAsked(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	span := func(from, to int) world.Span { return world.Span{From: at(from), To: at(to)} }
	first := &proc{ended: at(50), pauses: [][2]time.Time{{at(2), at(4)}, {at(20), at(30)}, {at(45), at(60)}}}
	second := &proc{ended: at(90)}
	k := &key{machine: &machine{settled: []call{{p: second, from: at(35), to: at(36)}}}}
	k.calls = []call{{p: first, from: at(5), to: at(9)}}
	for signed, want := range map[int][]world.Span{
		1:   {span(5, 20), span(30, 45), span(35, 90)},
		10:  {span(10, 20), span(30, 45), span(35, 90)},
		25:  {span(30, 45), span(35, 90)},
		40:  {span(40, 45), span(40, 90)},
		100: {},
	} {
		if got := k.asked(&tx{signed: at(signed)}); !slices.Equal(got, want) || got == nil {
			t.Errorf("signed at %d: %v, want %v", signed, got, want)
		}
	}
}

// TestToldWithoutKeys: the court hears from the journal of a machine without keys that a transaction has
// expired, though no call is there to say so, and does not take an open entry for a word.
func TestToldWithoutKeys(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(e *wallet.Entry)
		want telling
	}{
		{"it has expired", func(e *wallet.Entry) { e.Steps[0].State = wallet.KeyExpired }, telling{1, 1, 0}},
		{"a later build is claimed", func(e *wallet.Entry) { e.State, e.Steps = wallet.KeyClaimed, nil }, telling{1, 1, 0}},
		{"the same bytes are claimed", func(e *wallet.Entry) { e.SignedAt = time.Now() }, telling{1, 1, 0}},
		{"all is settled", func(e *wallet.Entry) { e.State = wallet.KeyExpired }, telling{1, 1, 0}},
		{"it is in doubt", func(e *wallet.Entry) { e.Holder = "" }, telling{0, 1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := toldWithoutKeys(t, c.then); got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			})
		})
	}
}

func toldWithoutKeys(t *testing.T, then func(*wallet.Entry)) telling {
	p := perfect(1)
	p.Shares.Keyless = 1
	p.World.Landing = world.Landing{Hold: 1, Drop: 1}
	s, b := stageOfOne(t, p)
	c, k, m, x := s.court, b.key, b.key.machine, b.txs[0]
	m.running.Go(m.listen)
	c.sign(x.message, k.owner.sign(x.message), "")
	if err := s.w.Leak(x.raw); err != nil {
		t.Fatal(err)
	}
	e := wallet.Entry{
		Key: "of what was asked", Version: 1, State: wallet.KeySent, Holder: "a wallet", Derived: true,
		Steps: []wallet.EntryStep{{Own: x.own.String(), State: wallet.KeySent}},
	}
	if err := m.memory.Store(t.Context(), 0, e); err != nil {
		t.Fatal(err)
	}
	k.calls = append(k.calls, call{p: &proc{}, from: x.signed, to: x.signed.Add(15 * time.Minute)})
	time.Sleep(2 * time.Minute)
	e.Version, e.Steps = 2, slices.Clone(e.Steps)
	then(&e)
	if err := m.memory.Store(t.Context(), 1, e); err != nil {
		t.Fatal(err)
	}
	time.Sleep(15 * time.Minute)
	close(s.over)
	m.running.Wait()
	return c.lateness()
}
