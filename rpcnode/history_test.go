package rpcnode_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

func messageOf(t *testing.T, tx walletfi.Signed) []byte {
	t.Helper()
	sent, err := signing.Decode(tx.Transaction)
	require.NoError(t, err)
	return sent.Message()
}

// searchOf is a search by position.
func searchOf(owner string, message []byte, since, asOf uint64) walletfi.MessageSearch {
	return walletfi.MessageSearch{Owner: owner, Message: message, Since: since, AsOf: asOf}
}

func TestFindMessage(t *testing.T) {
	inTime(t, sandbox.Config{ManualClock: true}, findMessages)
}

func findMessages(t *testing.T, b *bench) {
	var sent []walletfi.Signed
	for i := range 3 {
		tx := b.payment(t, uint64(2_000_000+i))
		_, err := b.Submit(t.Context(), tx)
		require.NoError(t, err)
		sent = append(sent, tx)
		b.s.Advance(time.Second)
	}
	head, err := b.Head(t.Context())
	require.NoError(t, err)
	find := func(tx walletfi.Signed, since, asOf uint64) string {
		t.Helper()
		at, err := b.FindMessage(t.Context(), searchOf(b.me.String(), messageOf(t, tx), since, asOf))
		require.NoError(t, err)
		return at.Signature
	}
	require.Equal(t, sent[0].Signature, find(sent[0], head.Slot-100, head.Slot))
	require.Equal(t, 3, b.hits("getTransaction"))
	require.Equal(t, sent[1].Signature, find(sent[1], head.Slot-100, head.Slot))
	require.Equal(t, 3, b.hits("getTransaction"), "what was compared is not asked for again")
	require.Empty(t, find(b.payment(t, 9), head.Slot-100, head.Slot), "never sent")
	require.Empty(t, find(sent[0], head.Slot, head.Slot), "older than what is looked through")

	_, err = b.FindMessage(t.Context(), searchOf(b.me.String(), []byte{1}, 0, head.Slot+1000))
	require.Error(t, err, "the node has not reached that slot")
	var invalid *walletfi.ValidationError
	_, err = b.FindMessage(t.Context(), searchOf("me", []byte{1}, 0, 0))
	require.ErrorAs(t, err, &invalid)
	_, err = b.FindMessage(t.Context(), searchOf(b.me.String(), nil, 0, 0))
	require.ErrorAs(t, err, &invalid)
	require.Empty(t, b.s.Violations())
}

// archive is a node with a history of n transactions, the newest first.
type archive struct {
	signatures []solana.Signature
	raw        map[string][]byte
	first      uint64 // block that it has
	forgets    bool   // a page's last signature, as another node behind the same address may
}

func newArchive(t *testing.T, n int) *archive {
	t.Helper()
	a := &archive{raw: map[string][]byte{}}
	model, err := base64.StdEncoding.DecodeString(string(signedOffline(t).Transaction))
	require.NoError(t, err)
	for i := range n {
		raw := slices.Clone(model)
		binary.BigEndian.PutUint64(raw[1:], uint64(i))   // the signature
		binary.BigEndian.PutUint64(raw[100:], uint64(i)) // a key of the message
		s := solana.SignatureFromBytes(raw[1:65])
		a.signatures = append(a.signatures, s)
		a.raw[s.String()] = raw
	}
	return a
}

func (a *archive) message(i int) []byte { return a.raw[a.signatures[i].String()][65:] }

func (a *archive) answer(w http.ResponseWriter, method string, params []json.RawMessage) {
	var result any
	switch method {
	case "getFirstAvailableBlock":
		result = a.first
	case "getSignaturesForAddress":
		var config struct {
			Limit  int
			Before solana.Signature
		}
		json.Unmarshal(params[1], &config)
		from := 0
		if !config.Before.IsZero() {
			from = slices.Index(a.signatures, config.Before) + 1
			if a.forgets {
				from = len(a.signatures)
			}
		}
		list := []any{}
		for i := from; i < min(from+config.Limit, len(a.signatures)); i++ {
			list = append(list, map[string]any{"signature": a.signatures[i], "slot": 100_000 - i})
		}
		result = list
	case "getTransaction":
		var signature string
		json.Unmarshal(params[0], &signature)
		result = map[string]any{"transaction": []string{base64.StdEncoding.EncodeToString(a.raw[signature]), "base64"}}
	}
	json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": result})
}

func TestFindMessagePages(t *testing.T) {
	a, owner := newArchive(t, 2500), solana.PublicKey{1}.String()
	node := onFake(t, a.answer)
	at, err := node.FindMessage(t.Context(), searchOf(owner, a.message(2400), 1, 0))
	require.NoError(t, err)
	require.Equal(t, a.signatures[2400].String(), at.Signature)
	at, err = node.FindMessage(t.Context(), searchOf(owner, []byte("never sent"), 1, 0))
	require.NoError(t, err)
	require.Empty(t, at.Signature)

	a.forgets = true
	_, err = node.FindMessage(t.Context(), searchOf(owner, []byte("never sent"), 1, 0))
	require.ErrorIs(t, err, walletfi.ErrUnavailable, "a page that does not begin where the last one ended is no end")
	at, err = node.FindMessage(t.Context(), searchOf(owner, []byte("never sent"), 99_500, 0))
	require.NoError(t, err, "one page is enough")
	require.Empty(t, at.Signature)
}

func TestFindMessageEnds(t *testing.T) {
	a := newArchive(t, 10_050)
	_, err := onFake(t, a.answer).FindMessage(t.Context(), searchOf(solana.PublicKey{1}.String(), []byte("never sent"), 1, 0))
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	require.ErrorContains(t, err, "more than 10000 transactions")
}

// TestFindMessageTakesNoGarbage: "not there" is said only of a history that was
// read.
func TestFindMessageTakesNoGarbage(t *testing.T) {
	signature := solana.Signature{7}
	line := fmt.Sprintf(`{"signature":%q,"slot":9}`, signature)
	other := signedOffline(t)
	bad := []struct{ list, transaction string }{
		{`null`, ``}, {`[{}]`, ``}, {`[{"slot":9}]`, ``}, {fmt.Sprintf(`[{"signature":%q}]`, signature), ``},
		{`[null]`, ``}, {`{}`, ``}, {`[` + line + `,{"signature":"` + solana.Signature{8}.String() + `","slot":10}]`, ``},
		{`[` + line + `]`, `null`}, {`[` + line + `]`, `{"transaction":["","base64"]}`}, {`[` + line + `]`, `{"transaction":["?","base64"]}`},
		{`[` + line + `]`, fmt.Sprintf(`{"transaction":[%q,"base64"]}`, other.Transaction)},
	}
	for _, c := range bad {
		node := onFake(t, func(w http.ResponseWriter, method string, _ []json.RawMessage) {
			result := c.list
			if method == "getTransaction" {
				result = c.transaction
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, result)
		})
		at, err := node.FindMessage(t.Context(), searchOf(solana.PublicKey{1}.String(), []byte("message"), 0, 0))
		require.ErrorIs(t, err, walletfi.ErrDecode, "%s %s", c.list, c.transaction)
		require.Empty(t, at.Signature)
	}
	require.Len(t, bad, 11)
}

// TestHistory: a node of the sandbox lists what was sent, with its bytes.
func TestHistory(t *testing.T) {
	inTime(t, sandbox.Config{InstantConfirmation: true}, func(t *testing.T, b *bench) {
		before, err := b.FinalHead(t.Context())
		require.NoError(t, err)
		tx := b.payment(t, 2_000_000)
		_, err = b.Submit(t.Context(), tx)
		require.NoError(t, err)
		head, err := b.FinalHead(t.Context())
		require.NoError(t, err)
		all, next, err := b.History(t.Context(), signing.PublicKey(b.me), before.Slot-1, head.Slot, "")
		require.NoError(t, err)
		require.Empty(t, next)
		require.Equal(t, []string{tx.Signature}, all)
		_, _, err = b.History(t.Context(), signing.PublicKey(b.me), before.Slot-1, head.Slot+1000, "")
		require.ErrorIs(t, err, walletfi.ErrUnavailable, "the node has not reached that slot")
		_, _, err = b.History(t.Context(), signing.PublicKey(b.me), 0, head.Slot, "")
		require.ErrorIs(t, err, walletfi.ErrUnavailable, "the node does not have the first blocks")

		raw, err := b.Transaction(t.Context(), tx.Signature)
		require.NoError(t, err)
		require.Equal(t, string(tx.Transaction), base64.StdEncoding.EncodeToString(raw))
		_, err = b.Transaction(t.Context(), solana.Signature{1}.String())
		require.ErrorIs(t, err, walletfi.ErrNotFound)
		var invalid *walletfi.ValidationError
		_, err = b.Transaction(t.Context(), "1")
		require.ErrorAs(t, err, &invalid)
		require.Empty(t, b.s.Violations())
	})
}

// TestHistoryPages: a history of several pages and cursors is whole, within its slots, and an error if
// its pages do not meet.
func TestHistoryPages(t *testing.T) {
	a, owner, asked := newArchive(t, 10_001), signing.PublicKey{1}, 0
	node := onFake(t, func(w http.ResponseWriter, method string, params []json.RawMessage) {
		asked++
		if method == "getFirstAvailableBlock" {
			a.answer(w, method, params)
			return
		}
		var config struct {
			Commitment     string
			MinContextSlot uint64
		}
		json.Unmarshal(params[1], &config)
		if config.Commitment != "finalized" || method == "getSignaturesForAddress" && config.MinContextSlot != 99_990 {
			t.Errorf("%s of %+v", method, config)
		}
		a.answer(w, method, params)
	})
	list := func(since, until uint64) (all []string, calls int, err error) {
		for cursor := ""; ; calls++ {
			some, next, err := node.History(t.Context(), owner, since, until, cursor)
			if all = append(all, some...); err != nil || next == "" {
				return all, calls, err
			}
			cursor = next
		}
	}
	for n, more := range map[int]int{10_000: 0, 10_001: 1, 20_500: 2} {
		a = newArchive(t, n)
		all, calls, err := list(1, 99_990)
		require.NoError(t, err)
		require.Equal(t, more, calls)
		require.Len(t, all, n-10)
		for i, signature := range all {
			require.Equal(t, a.signatures[10+i].String(), signature)
		}
	}
	all, calls, err := list(98_000, 99_990)
	require.NoError(t, err)
	require.Zero(t, calls, "what is older is not asked for")
	require.Len(t, all, 1990)
	asked = 0
	all, _, err = list(99_990, 99_990)
	require.NoError(t, err)
	require.Empty(t, all)
	require.Zero(t, asked, "no slots, no question")

	raw, err := node.Transaction(t.Context(), a.signatures[7].String())
	require.NoError(t, err)
	require.Equal(t, a.raw[a.signatures[7].String()], raw)

	var invalid *walletfi.ValidationError
	for _, cursor := range []string{"x", a.signatures[0].String(), ","} {
		_, _, err = node.History(t.Context(), owner, 1, 99_990, cursor)
		require.ErrorAs(t, err, &invalid, cursor)
	}
	a.first = 50_001
	_, _, err = list(50_000, 99_990)
	require.NoError(t, err)
	_, _, err = list(49_999, 99_990)
	require.ErrorIs(t, err, walletfi.ErrUnavailable, "a node that has dropped blocks")
	a.first, a.forgets = 0, true
	_, _, err = list(1, 99_990)
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	require.ErrorContains(t, err, "do not meet")
	cursor := a.signatures[2].String() + "," + a.signatures[3].String()
	_, _, err = node.History(t.Context(), owner, 1, 99_990, cursor)
	require.ErrorContains(t, err, "do not meet")
}

// TestPoolHistory: a pool asks the next node if one does not answer.
func TestPoolHistory(t *testing.T) {
	a := newArchive(t, 3)
	pool, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: []*rpcnode.Client{
		onFake(t, says(http.StatusUnauthorized, "who")), onFake(t, a.answer),
	}})
	require.NoError(t, err)
	all, next, err := pool.History(t.Context(), signing.PublicKey{1}, 99_998, 100_000, "")
	require.NoError(t, err)
	require.Empty(t, next)
	require.Equal(t, []string{a.signatures[0].String(), a.signatures[1].String()}, all)
	raw, err := pool.Transaction(t.Context(), a.signatures[2].String())
	require.NoError(t, err)
	require.Equal(t, a.raw[a.signatures[2].String()], raw)
}
