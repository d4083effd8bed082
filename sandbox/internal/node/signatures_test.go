package node_test

import (
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestPagesOfSignaturesForAddress pages through what names an address.
func TestPagesOfSignaturesForAddress(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	to, another := s.named("to"), s.named("another")
	var newest []string // of to
	var others []string
	for i := range 6 {
		newest = append([]string{s.paid(t, to, uint64(1_000_000+i))}, newest...)
		others = append([]string{s.paid(t, another, uint64(1_000_000+i))}, others...)
		if i%2 == 1 { // two of each in a slot
			s.Advance(slots(1))
		}
	}
	list := func(options object) (signatures []string) {
		options["commitment"] = "confirmed"
		for _, one := range s.ok(t, 0, "getSignaturesForAddress", to, options).JSON.([]any) {
			signatures = append(signatures, one.(object)["signature"].(string))
		}
		return signatures
	}
	assert.Equal(t, newest, list(object{}))
	assert.Equal(t, newest, list(object{"limit": 6, "before": nil, "until": nil}))
	assert.Equal(t, newest[:2], list(object{"limit": 2}))
	assert.Equal(t, newest[2:4], list(object{"limit": 2, "before": newest[1]}))
	assert.Equal(t, newest[:3], list(object{"until": newest[3]}))
	assert.Equal(t, newest[2:3], list(object{"before": newest[1], "until": newest[3]}))
	assert.Equal(t, newest[2:], list(object{"before": others[2]}), "which does not name the address")
	assert.Equal(t, newest[3:], list(object{"before": others[3]}))
	assert.Equal(t, newest[:2], list(object{"until": others[2]}))
	unknown := s.Vote(first + 1000).String()
	assert.Empty(t, list(object{"before": unknown}))
	assert.Equal(t, newest, list(object{"until": unknown}))
	for _, bad := range []object{
		{"limit": 0}, {"limit": 1001}, {"limit": "x"}, {"before": "x"}, {"until": to}, {"minContextSlot": -1}, {"commitment": "processed"},
	} {
		_, code := s.ask(t, 0, "getSignaturesForAddress", to, bad)
		assert.Equal(t, "-32602", code, "%v", bad)
	}
	_, code := s.ask(t, 0, "getSignaturesForAddress", to, object{"minContextSlot": first + 5})
	assert.Equal(t, "-32016", code)
}

// TestMemosOfSignatures shows the memos, of which one is no text.
func TestMemosOfSignatures(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	me := build.PublicKey(s.Wallet())
	old := solana.MustPublicKeyFromBase58("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
	memo := func(program solana.PublicKey, text string) solana.Instruction {
		return solana.NewInstruction(program, nil, []byte(text))
	}
	s.land(t, memo(solana.MemoProgramID, "for zoë"), memo(old, "and more"))
	s.paid(t, s.named("to"), 1_000_000)
	s.Advance(slots(1))
	var memos []any
	for _, one := range s.ok(t, 0, "getSignaturesForAddress", me, at("confirmed")).JSON.([]any) {
		memos = append(memos, one.(object)["memo"])
	}
	slices.Reverse(memos)
	assert.Equal(t, []any{"[8] for zoë; [8] and more", nil}, memos)
}
