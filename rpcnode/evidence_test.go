package rpcnode_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

// TestFinalHead: the newest finalized block, that the node has shown too.
func TestFinalHead(t *testing.T) {
	m := makeLedger(t)
	c := m.client()
	genesis, err := c.Genesis(t.Context())
	require.NoError(t, err)
	require.Equal(t, hashOf(1), genesis)
	for _, m.tip = range []uint64{3000, 3005, 3006} {
		head, err := c.FinalHead(t.Context())
		require.NoError(t, err)
		require.Equal(t, m.head(m.final().slot), head)
		require.LessOrEqual(t, head.Slot, m.tip-32)
	}
	head, err := c.FinalBlock(t.Context(), 2500)
	require.NoError(t, err)
	require.Equal(t, m.head(2500), head)

	// The head of one node and the block of another do not agree.
	m.edit = func(method string, result any) any {
		if method == "getEpochInfo" {
			result.(map[string]any)["blockHeight"] = result.(map[string]any)["absoluteSlot"]
		}
		return result
	}
	_, err = c.FinalHead(t.Context())
	require.ErrorIs(t, err, walletfi.ErrDecode)
	require.ErrorContains(t, err, "has height")
}

// TestNoFinalBlock: a slot without a block, one that is not final yet and one that the
// node has dropped. None is asked for again at once.
func TestNoFinalBlock(t *testing.T) {
	m := makeLedger(t)
	m.from = 2100
	for slot, want := range map[uint64]int{2503: 1, 2099: 1, 2969: 1} {
		_, err := m.client().FinalBlock(t.Context(), slot)
		require.ErrorIs(t, err, walletfi.ErrUnavailable, "slot %d", slot)
		require.Equal(t, want, m.spent()["getBlock"], "slot %d", slot)
	}
}

// TestBlockhashAt: the answer is of the slot that was named or a later one, also if the
// node does not care for minContextSlot.
func TestBlockhashAt(t *testing.T) {
	m := makeLedger(t)
	c := m.client()
	final := m.final()
	young, old := m.last(2900), m.last(2600)
	state, err := c.BlockhashAt(t.Context(), young.hash, final.slot)
	require.NoError(t, err)
	require.True(t, state.Valid)
	require.Equal(t, final.slot, state.AsOfSlot)
	state, err = c.BlockhashAt(t.Context(), old.hash, final.slot)
	require.NoError(t, err)
	require.False(t, state.Valid)
	require.Equal(t, final.slot, state.AsOfSlot)
	for _, m.deaf = range []bool{false, true} {
		state, err = c.BlockhashAt(t.Context(), old.hash, final.slot+1)
		require.Error(t, err, "it has not reached the slot")
		require.False(t, state.Valid)
	}
	require.ErrorContains(t, err, fmt.Sprintf("the answer is of slot %d, before %d", final.slot, final.slot+1))
	_, err = c.BlockhashAt(t.Context(), "none", 1)
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
}

// TestBlockhashAge: one more than the node calls the last valid height. It is asked for
// once, until the hour is over.
func TestBlockhashAge(t *testing.T) {
	m := makeLedger(t)
	c := m.client()
	for range 3 {
		age, err := c.BlockhashAge(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 151, age)
	}
	require.Equal(t, map[string]int{"getLatestBlockhash": 1, "getBlock": 1}, m.spent())
	for what, spoil := range map[string]func(value map[string]any){
		"of another block":   func(v map[string]any) { v["blockhash"] = hashOf(2500) },
		"before its height":  func(v map[string]any) { v["lastValidBlockHeight"] = m.final().height - 1 },
		"without a height":   func(v map[string]any) { delete(v, "lastValidBlockHeight") },
		"without its own":    func(v map[string]any) { delete(v, "blockhash") },
		"with a height of 0": func(v map[string]any) { v["lastValidBlockHeight"] = 0 },
	} {
		m.edit = func(method string, result any) any {
			if method == "getLatestBlockhash" {
				spoil(result.(map[string]any)["value"].(map[string]any))
			}
			return result
		}
		age, err := m.client().BlockhashAge(t.Context())
		require.ErrorIs(t, err, walletfi.ErrDecode, what)
		require.Zero(t, age, what)
	}
}

// TestBlockOf: from 320 blocks before to 400 after another one, and not past the end.
func TestBlockOf(t *testing.T) {
	m := makeLedger(t)
	near := m.head(2505)
	height := func(h uint64) *madeBlock {
		for _, b := range m.blocks {
			if b.height == h {
				return b
			}
		}
		t.Fatalf("no block of height %d", h)
		return nil
	}
	for _, row := range []struct {
		what string
		of   uint64 // height
		near walletfi.Head
		want bool
	}{
		{"its own", near.Height, near, true},
		{"ended when it was signed", near.Height - 187, near, true},
		{"the first", near.Height - 320, near, true},
		{"one before that", near.Height - 321, near, false},
		{"after it", near.Height + 100, near, true},
		{"the newest that is final", m.final().height, m.head(m.final().slot), true},
		{"not final yet", m.final().height + 1, m.head(m.final().slot), false},
		{"far behind the newest", near.Height + 60, m.head(2200), true},
		{"the last", m.head(2001).Height + 400, m.head(2001), true},
	} {
		m.from = 1700
		want := height(row.of)
		block, err := m.client().BlockOf(t.Context(), want.hash, row.near)
		require.LessOrEqual(t, m.spent()["getBlock"], 760, row.what)
		if !row.want {
			require.ErrorIs(t, err, walletfi.ErrNotFound, row.what)
			continue
		}
		require.NoError(t, err, row.what)
		require.Equal(t, walletfi.Head{Slot: want.slot, Height: want.height}, block, row.what)
	}
	m.from = 2400
	_, err := m.client().BlockOf(t.Context(), m.last(2350).hash, near)
	require.ErrorIs(t, err, walletfi.ErrUnavailable, "the node has dropped what lies between: that is no answer")
}

// evidence asks for each kind of proof. An error means that nothing was shown.
var evidence = map[string]func(*testing.T, *made, *rpcnode.Client) error{
	"Genesis": func(t *testing.T, _ *made, c *rpcnode.Client) error {
		_, err := c.Genesis(t.Context())
		return err
	},
	"FinalHead": func(t *testing.T, m *made, c *rpcnode.Client) error {
		head, err := c.FinalHead(t.Context())
		return believed(err, head == m.head(m.final().slot))
	},
	"BlockhashAt": func(t *testing.T, m *made, c *rpcnode.Client) error {
		state, err := c.BlockhashAt(t.Context(), m.blocks[2600].hash, m.final().slot)
		return believed(err, state == walletfi.BlockhashState{AsOfSlot: m.final().slot})
	},
	"BlockhashAge": func(t *testing.T, _ *made, c *rpcnode.Client) error {
		age, err := c.BlockhashAge(t.Context())
		return believed(err, age == 151)
	},
	"BlockOf": func(t *testing.T, m *made, c *rpcnode.Client) error {
		block, err := c.BlockOf(t.Context(), m.blocks[2962].hash, m.head(m.final().slot))
		return believed(err, block == m.head(2962))
	},
	"Absence": func(t *testing.T, m *made, c *rpcnode.Client) error {
		return covers(t, c, m.between(2800, 2960, unsent(1)...))
	},
	"old Absence": func(t *testing.T, m *made, c *rpcnode.Client) error {
		return covers(t, c, m.ago(2300, 2305, unsent(1)...))
	},
	"MessageAbsence": func(t *testing.T, m *made, c *rpcnode.Client) error {
		found, err := c.MessageAbsence(t.Context(), m.between(2960, 2964), signing.PublicKey{5}.String(), []byte("never"))
		return believed(err, found.Signature == "")
	},
	"NonceAt": func(t *testing.T, m *made, c *rpcnode.Client) error {
		m.nonce = func(uint64) signing.PublicKey { return signing.PublicKey{42} }
		state, err := c.NonceAt(t.Context(), signing.PublicKey{5}.String(), 0)
		return believed(err, state.Value == signing.PublicKey{42}.String() && state.AsOfSlot == m.final().slot)
	},
	"NonceUse": func(t *testing.T, m *made, c *rpcnode.Client) error {
		m.uses = []madeUse{{signedOffline(t), 2500, nil}}
		use, err := c.NonceUse(t.Context(), signing.PublicKey{5}.String(), hashOf(7), 2400, 2600)
		return believed(err, use == walletfi.NonceUse{})
	},
}

func believed(err error, truth bool) error {
	if err == nil && !truth {
		panic("something was believed that is not so")
	}
	return err
}

func covers(t *testing.T, c *rpcnode.Client, q walletfi.AbsenceQuery) error {
	a, err := c.Absence(t.Context(), q)
	if err != nil {
		return err
	}
	return proof.Covered(q, a)
}

// unread are the members that say nothing of what is asked for, of all and of some.
var unread = []string{
	"FinalHead: getBlock.previousBlockhash", "BlockhashAge: getBlock.previousBlockhash",
	"BlockOf: getBlock.previousBlockhash", "Absence: getBlock.previousBlockhash", "getAccountInfo.value.lamports",
	"getAccountInfo.value.owner",                                                     // none is the system program
	"getSignatureStatuses.value[].confirmations", "getSignatureStatuses.value[].err", // how a witness ended
	"getSignatureStatuses.value[].confirmationStatus", // old nodes name none
	"NonceUse: getSignaturesForAddress[]",             // a history may be empty
	"NonceUse: getSignaturesForAddress[].err",         // that one advances nothing
	"FinalHead: getBlock.blockhash", "BlockhashAt: getBlock.blockhash", "NonceAt: getBlock.blockhash",
	"Absence: getBlock.blockhash",
	"Absence: getBlock.signatures[]", "old Absence: getBlock.signatures[]", // see TestAbsenceThatCannotBeShown
	"Absence: getSignatureStatuses.value[]", "old Absence: getSignatureStatuses.value[]", // ours is null
}

// TestHollowEvidence: a node that says nothing, or something else, shows nothing, and
// nothing panics. Every member of every answer is taken out, and replaced by others.
func TestHollowEvidence(t *testing.T) {
	for name, ask := range evidence {
		good := makeLedger(t)
		require.NoError(t, ask(t, good, good.client()), name)
		methods := good.spent()
		delete(methods, "signatures of blocks")
		require.NotEmpty(t, methods, name)
		for method := range methods {
			wrong := []string{`7`, `-1`, `true`, `"x"`, `[7]`, `{"context":7,"value":7}`}
			for _, result := range append(wrong, hollowResults...) {
				m := makeLedger(t)
				m.say[method] = `{"jsonrpc":"2.0","id":1,"result":` + result + `}`
				if result == `[]` && method == "getSignaturesForAddress" {
					continue // a history may be empty
				}
				require.Error(t, ask(t, m, m.client()), "%s: %s says %s", name, method, result)
			}
			spoilt := 0
			for _, value := range []any{gone{}, nil, "x"} {
				for i := 0; ; i++ {
					m, member := makeLedger(t), ""
					m.edit = func(of string, result any) any {
						if of == method {
							spoilt, of := spoil(t, result, i, value)
							result, member = spoilt, cmp.Or(of, member)
						}
						return result
					}
					err := ask(t, m, m.client())
					if member == "" {
						break
					}
					spoilt++
					if value == any(gone{}) && member == ".signatures[]" {
						continue // a block may have one less
					}
					if !slices.Contains(unread, method+member) && !slices.Contains(unread, name+": "+method+member) {
						require.Error(t, err, "%s: %s with %v for %s", name, method, value, member)
					}
				}
			}
			require.True(t, spoilt > 0 || method == "getGenesisHash", "%s: %s", name, method)
		}
	}
}

// gone stands for a member that is taken out.
type gone struct{}

// spoil replaces the i-th part of an answer, and says which that is, "" if there are
// not so many.
func spoil(t *testing.T, answer any, i int, value any) (any, string) {
	t.Helper()
	text, err := json.Marshal(answer)
	require.NoError(t, err)
	var copied any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&copied))
	return replaced(copied, &i, value)
}

// replaced counts i down to 0 with each part.
func replaced(part any, i *int, value any) (any, string) {
	_, takeOut := value.(gone)
	here := func() bool { *i--; return *i == -1 }
	switch part := part.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(part)) {
			switch {
			case here() && takeOut:
				delete(part, name)
				return part, "." + name
			case *i == -1:
				part[name] = value
				return part, "." + name
			}
			next, member := replaced(part[name], i, value)
			if part[name] = next; member != "" {
				return part, "." + name + member
			}
		}
	case []any:
		for k := range part {
			switch {
			case here() && takeOut:
				return slices.Delete(part, k, k+1), "[]"
			case *i == -1:
				part[k] = value
				return part, "[]"
			}
			next, member := replaced(part[k], i, value)
			if part[k] = next; member != "" {
				return part, "[]" + member
			}
		}
	}
	return part, ""
}

// TestBlockThatIsNull: an archive that fails is answered so. It is asked again at once.
func TestBlockThatIsNull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := makeLedger(t)
		nulls := 3
		m.edit = func(method string, result any) any {
			if method != "getBlock" || nulls == 0 {
				return result
			}
			nulls--
			return nil
		}
		head, err := m.client().FinalBlock(t.Context(), m.final().slot)
		require.NoError(t, err)
		require.Equal(t, m.head(m.final().slot), head)
		require.Zero(t, nulls)
		nulls = 4
		_, err = m.client().FinalBlock(t.Context(), m.final().slot)
		require.ErrorIs(t, err, walletfi.ErrDecode)
	})
}
