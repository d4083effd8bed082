package rpcnode_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

// made is a node of a ledger that is made up: slots 1700 to 3100, of which each fifth
// has no block, each block with three transactions. It tells the truth of that ledger,
// as a node does: what it is asked wrongly fails the test.
type made struct {
	t      *testing.T
	tip    uint64 // its newest slot; 32 slots before are not final
	from   uint64 // the first that it keeps a block of
	blocks map[uint64]*madeBlock
	landed map[string]uint64 // slots by signature

	noHistory, deaf bool   // deaf: to minContextSlot
	fromRoot        bool   // the cache of statuses goes by what is final, not by the tip
	behind          uint64 // by how many slots the node is that has the history
	archive         bool   // the history is a store's, which has what is final alone

	hides, drops, skips func(slot uint64) bool
	archiveLacks        func(slot uint64) bool // says so in its own words

	calls    map[string]int
	say      map[string]string                   // in place of its results
	edit     func(method string, result any) any // nil changes none
	asked    [][]string                          // signatures, by call
	searched []bool                              // whether the history was asked for
	nonce    func(slot uint64) signing.PublicKey // value of the nonce account; nil if there is none
	uses     []madeUse                           // of it, the newest first
}

type madeBlock struct {
	slot, height, parent uint64
	hash                 string
	signatures           []string
}

type madeUse struct {
	tx     walletfi.Signed
	slot   uint64
	failed any // its error, nil if it succeeded
}

func makeLedger(t *testing.T) *made {
	m := &made{
		t: t, tip: 3000, from: 1700, blocks: map[uint64]*madeBlock{}, landed: map[string]uint64{},
		calls: map[string]int{}, say: map[string]string{},
	}
	for _, b := range madeBlocks() {
		b.signatures = slices.Clone(b.signatures)
		m.blocks[b.slot] = &b
		for _, s := range b.signatures {
			m.landed[s] = b.slot
		}
	}
	return m
}

// madeBlocks are the blocks of each ledger.
var madeBlocks = sync.OnceValue(func() (all []madeBlock) {
	b := madeBlock{slot: 1699, height: 1259}
	for slot := uint64(1700); slot <= 3100; slot++ {
		if slot%5 == 3 {
			continue
		}
		b = madeBlock{slot: slot, height: b.height + 1, parent: b.slot, hash: hashOf(slot)}
		for i := range byte(3) {
			b.signatures = append(b.signatures, madeSignature(slot, i))
		}
		all = append(all, b)
	}
	return all
})

func hashOf(slot uint64) string {
	var h solana.Hash
	binary.BigEndian.PutUint64(h[:], slot)
	return h.String()
}

func madeSignature(slot uint64, i byte) string {
	s := solana.Signature{i + 1}
	binary.BigEndian.PutUint64(s[1:], slot)
	return s.String()
}

// unsent are n signatures that the ledger does not have.
func unsent(n int) (all []string) {
	for i := range n {
		all = append(all, madeSignature(uint64(i), 9))
	}
	return all
}

// client is one on m.
func (m *made) client() *rpcnode.Client {
	m.t.Helper()
	c := onFake(m.t, m.answer)
	c.SkipPauses()
	return c
}

// empty takes the transactions out of a slot's block.
func (m *made) empty(slots ...uint64) {
	for _, slot := range slots {
		for _, s := range m.blocks[slot].signatures {
			delete(m.landed, s)
		}
		m.blocks[slot].signatures = []string{}
	}
}

// last is the newest block up to a slot.
func (m *made) last(slot uint64) *madeBlock {
	for m.blocks[slot] == nil {
		slot--
	}
	return m.blocks[slot]
}

func (m *made) final() *madeBlock { return m.last(m.tip - 32) }
func (m *made) head(s uint64) walletfi.Head {
	return walletfi.Head{Slot: s, Height: m.blocks[s].height}
}

// madeConfig is the configuration of a call.
type madeConfig struct {
	Commitment                     string
	MinContextSlot                 uint64
	SearchTransactionHistory       *bool
	TransactionDetails             string
	Rewards                        *bool
	MaxSupportedTransactionVersion *int
	Encoding                       string
	Limit                          int
}

func (m *made) answer(w http.ResponseWriter, method string, params []json.RawMessage) {
	m.calls[method]++
	if text, ok := m.say[method]; ok {
		says(200, text)(w, method, params)
		return
	}
	var config madeConfig
	if len(params) > 0 && params[len(params)-1][0] == '{' {
		require.NoError(m.t, json.Unmarshal(params[len(params)-1], &config))
	}
	result, code := m.result(method, params, config)
	if m.edit != nil && code == 0 {
		result = m.edit(method, result)
	}
	body := map[string]any{"jsonrpc": "2.0", "id": 1, "result": result}
	if code != 0 {
		body = map[string]any{"jsonrpc": "2.0", "id": 1, "error": map[string]any{"code": code, "message": "no"}}
	}
	require.NoError(m.t, json.NewEncoder(w).Encode(body))
}

func (m *made) result(method string, params []json.RawMessage, config madeConfig) (result any, code int) {
	at := m.last(m.tip)
	switch config.Commitment {
	case "finalized":
		at = m.final()
	case "confirmed":
		at = m.last(m.tip - 1)
	}
	if config.MinContextSlot > at.slot && !m.deaf {
		return nil, -32016
	}
	within := func(value any) any { return map[string]any{"context": map[string]any{"slot": at.slot}, "value": value} }
	switch method {
	case "getGenesisHash":
		return hashOf(1), 0
	case "getEpochInfo":
		return map[string]any{"absoluteSlot": at.slot, "blockHeight": at.height}, 0
	case "getBlock":
		return m.block(params, config)
	case "isBlockhashValid":
		var hash string
		require.NoError(m.t, json.Unmarshal(params[0], &hash))
		for _, b := range m.blocks {
			if b.hash == hash {
				return within(b.slot <= at.slot && at.height <= b.height+150), 0
			}
		}
		return within(false), 0
	case "getLatestBlockhash":
		require.Equal(m.t, "finalized", config.Commitment)
		return within(map[string]any{"blockhash": at.hash, "lastValidBlockHeight": at.height + 150}), 0
	case "getSignatureStatuses":
		return m.statuses(params, config)
	case "getAccountInfo":
		require.Equal(m.t, "finalized", config.Commitment)
		if m.nonce == nil {
			return within(nil), 0
		}
		value := m.nonce(at.slot)
		data := make([]byte, 80)
		data[0], data[4] = 1, 1
		copy(data[40:], value[:])
		text := []string{base64.StdEncoding.EncodeToString(data), "base64"}
		return within(map[string]any{"lamports": 1, "owner": signing.SystemProgram.String(), "data": text}), 0
	case "getSignaturesForAddress":
		list := []any{}
		for _, u := range m.uses[:min(len(m.uses), config.Limit)] {
			list = append(list, map[string]any{"signature": u.tx.Signature, "slot": u.slot, "err": u.failed})
		}
		return list, 0
	case "getTransaction":
		var signature string
		require.NoError(m.t, json.Unmarshal(params[0], &signature))
		i := slices.IndexFunc(m.uses, func(u madeUse) bool { return u.tx.Signature == signature })
		require.GreaterOrEqual(m.t, i, 0, "nobody told of that one")
		return map[string]any{"transaction": []string{string(m.uses[i].tx.Transaction), "base64"}}, 0
	}
	m.t.Errorf("nobody asks a node for %s", method)
	return nil, -32601
}

// block answers getBlock of a finalized block, without what costs.
func (m *made) block(params []json.RawMessage, config madeConfig) (any, int) {
	require.Equal(m.t, new(false), config.Rewards)
	require.NotNil(m.t, config.MaxSupportedTransactionVersion, "a block with a newer transaction would be refused")
	var slot uint64
	require.NoError(m.t, json.Unmarshal(params[0], &slot))
	b, newest := m.blocks[slot], m.final().slot
	if config.Commitment != "finalized" {
		require.Equal(m.t, "confirmed", config.Commitment)
		require.Equal(m.t, "signatures", config.TransactionDetails, "other blocks may be left again")
		newest = m.tip - 1
		m.calls["open blocks"]++
	}
	switch {
	case slot > newest, m.hides != nil && m.hides(slot):
		return nil, -32004
	case slot < m.from, m.drops != nil && m.drops(slot):
		return nil, -32001
	case b == nil, m.skips != nil && m.skips(slot):
		return nil, -32007
	case m.archiveLacks != nil && m.archiveLacks(slot):
		return nil, -32009
	}
	answer := map[string]any{
		"blockhash": b.hash, "parentSlot": b.parent, "blockHeight": b.height, "previousBlockhash": hashOf(b.parent),
	}
	switch config.TransactionDetails {
	case "none":
	case "signatures":
		m.calls["signatures of blocks"]++
		answer["signatures"] = slices.Clone(b.signatures)
	default:
		m.t.Errorf("a block with %q costs too much", config.TransactionDetails)
	}
	return answer, 0
}

// statuses answers from the cache of the last 300 slots and, if the history is on, from
// all that the node keeps.
func (m *made) statuses(params []json.RawMessage, config madeConfig) (any, int) {
	var signatures []string
	require.NoError(m.t, json.Unmarshal(params[0], &signatures))
	require.LessOrEqual(m.t, len(signatures), 256)
	require.NotNil(m.t, config.SearchTransactionHistory)
	require.Len(m.t, slices.Compact(slices.Sorted(slices.Values(signatures))), len(signatures), "each once")
	if *config.SearchTransactionHistory && m.noHistory {
		return nil, -32011
	}
	m.asked, m.searched = append(m.asked, signatures), append(m.searched, *config.SearchTransactionHistory)
	if *config.SearchTransactionHistory {
		m.tip -= m.behind
		defer func() { m.tip += m.behind }()
	}
	list := []any{}
	for _, s := range signatures {
		slot, ok := m.landed[s]
		cached := slot+300 >= m.tip
		if m.fromRoot {
			cached = ok && m.blocks[slot].height+300 > m.final().height
		}
		switch {
		case !ok || slot > m.tip || slot < m.from, !*config.SearchTransactionHistory && !cached:
			list = append(list, nil)
		case m.archive && *config.SearchTransactionHistory && slot > m.tip-32:
			list = append(list, nil)
		case slot <= m.tip-32:
			list = append(list, settled(slot, nil, "finalized"))
		default:
			list = append(list, settled(slot, 3, "confirmed"))
		}
	}
	return map[string]any{"context": map[string]any{"slot": m.last(m.tip).slot}, "value": list}, 0
}

func settled(slot uint64, confirmations any, commitment string) map[string]any {
	return map[string]any{"slot": slot, "confirmations": confirmations, "err": nil, "confirmationStatus": commitment}
}

// spent counts the calls since it was asked last.
func (m *made) spent() map[string]int {
	calls := m.calls
	m.calls = map[string]int{}
	maps.DeleteFunc(calls, func(_ string, n int) bool { return n == 0 })
	return calls
}
