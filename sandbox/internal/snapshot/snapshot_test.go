package snapshot_test

import (
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
)

type (
	speaker interface{ speak() string }
	dog     struct{ name string }
	cat     struct{ of *house }
)

func (d dog) speak() string  { return d.name }
func (c *cat) speak() string { return c.of.street }

var _ = snapshot.Keep(dog{}, (*cat)(nil))

// house has a value of each kind.
type house struct {
	mu       sync.Mutex
	street   string
	number   int16
	area     uint64
	height   float64
	lit      bool
	key      [4]byte
	built    time.Time
	worth    *big.Int
	debt     big.Int
	rooms    []room
	none     []room
	empty    []room
	by       map[string]*room
	animals  []speaker
	nobody   speaker
	neighbor *house
	first    *room
	again    *room
	notes    map[string]any
	marks    map[[2]int8]struct{}
}

type room struct{ doors []byte }

func state(roots ...any) snapshot.State {
	return snapshot.State{Roots: roots, Left: map[string]string{"snapshot_test.house.mu": "it is no data"}}
}

func inhabited() *house {
	h := &house{
		street: "Harbour", number: -7, area: 1 << 63, height: 2.5, lit: true, key: [4]byte{1, 2, 3, 4},
		built: time.Date(1999, 1, 2, 3, 4, 5, 6, time.UTC), worth: big.NewInt(-12345), rooms: []room{{[]byte{1}}, {}},
		empty: []room{}, by: map[string]*room{}, animals: []speaker{dog{"rex"}},
		notes: map[string]any{"a": int64(1), "b": []any{"c", 2.5, nil}}, marks: map[[2]int8]struct{}{{1, 2}: {}, {-3, 4}: {}},
	}
	h.debt.Exp(big.NewInt(10), big.NewInt(40), nil)
	h.first = &room{[]byte("door")}
	h.again, h.by["x"], h.by["y"] = h.first, h.first, &room{}
	h.animals = append(h.animals, &cat{h})
	h.neighbor = &house{neighbor: h}
	h.mu, h.none, h.nobody = sync.Mutex{}, nil, nil
	return h
}

func TestStateComesBackWhole(t *testing.T) {
	h := inhabited()
	require.Empty(t, state(h).Problems())
	raw, err := state(h).Write()
	require.NoError(t, err)
	for range 20 {
		again, err := state(inhabited()).Write()
		require.NoError(t, err)
		require.Equal(t, raw, again, "whatever the order of a map")
	}

	into := &house{street: "another", by: map[string]*room{"z": nil}}
	commit, err := state(into).Read(raw)
	require.NoError(t, err)
	require.Equal(t, "another", into.street, "nothing changes before commit")
	commit()
	assert.Equal(t, h, into)
	assert.Same(t, into.first, into.again)
	assert.Same(t, into.first, into.by["x"])
	assert.Same(t, into, into.neighbor.neighbor)
	assert.Same(t, into, into.animals[1].(*cat).of)
	rewritten, err := state(into).Write()
	require.NoError(t, err)
	assert.Equal(t, raw, rewritten)
}

func TestDamageIsAnError(t *testing.T) {
	h := inhabited()
	raw, err := state(h).Write()
	require.NoError(t, err)
	for n := range raw {
		_, err := state(&house{}).Read(raw[:n])
		require.Error(t, err, "%d bytes of %d", n, len(raw))
	}
	_, err = state(&house{}).Read(append(raw, 0))
	require.Error(t, err)
	for at := range raw {
		for _, by := range []byte{1, 0x80, 0xff} {
			damaged := append([]byte{}, raw...)
			damaged[at] ^= by
			_, _ = state(&house{}).Read(damaged) // an error or other values, but no panic
		}
	}
}

func TestWhatIsNoDataIsAProblem(t *testing.T) {
	type part struct{ n int }
	for name, root := range map[string]any{
		"a function": &struct{ f func() }{}, "a channel": &struct{ c chan int }{}, "a lock": &struct{ mu sync.Mutex }{},
		"a nested function": &struct {
			all map[string][]*struct{ f func() }
		}{},
	} {
		assert.NotEmpty(t, snapshot.State{Roots: []any{root}}.Problems(), name)
	}
	stale := state(&part{})
	require.Empty(t, stale.Problems())
	stale.Left["x.y.z"] = "there is no such field"
	assert.Len(t, stale.Problems(), 1)

	_, err := state(&struct{ v any }{part{}}).Write()
	require.ErrorContains(t, err, "Keep was not told of")
	all := []part{{1}, {2}}
	_, err = state(&struct {
		all []part
		one *part
	}{all, &all[1]}).Write()
	require.ErrorContains(t, err, "a part of something else")
	_, err = state(&struct{ m map[*part]int }{map[*part]int{{}: 1}}).Write()
	require.ErrorContains(t, err, "a key of a map has a pointer")
}

func TestFormFollowsTheTypes(t *testing.T) {
	one := snapshot.State{Roots: []any{&struct{ a, b int }{}}}
	assert.Equal(t, one.Form(), snapshot.State{Roots: []any{&struct{ a, b int }{1, 2}}}.Form())
	assert.NotEqual(t, one.Form(), snapshot.State{Roots: []any{&struct{ b, a int }{}}}.Form())
	assert.NotEqual(t, one.Form(), snapshot.State{Roots: []any{&struct{ a, b int8 }{}}}.Form())
}

func TestSealRefusesWhatIsNotItsOwn(t *testing.T) {
	form := state(&house{}).Form()
	raw := snapshot.Seal(form, []byte("head"), []byte("and body"))
	head, body, err := snapshot.Unseal(form, raw)
	require.NoError(t, err)
	assert.Equal(t, "head and body", string(head)+" "+string(body))
	_, _, err = snapshot.Unseal([32]byte{1}, raw)
	require.ErrorContains(t, err, "another version")
	for n := range raw {
		_, _, err := snapshot.Unseal(form, raw[:n])
		require.Error(t, err, "%d bytes", n)
		damaged := append([]byte{}, raw...)
		damaged[n] ^= 0x10
		_, _, err = snapshot.Unseal(form, damaged)
		require.Error(t, err, "byte %d", n)
	}
}
